// SPDX-License-Identifier: GPL-3.0-or-later
// TimelineScene: everything that the painters of the timeline need, and where it lies.
//
// Plain data, GUI thread. Painters are pure: the same scene gives the same picture on a window, an
// image or an SVG.
#pragma once

#include "core/present/timeline/axis_map.h"
#include "core/present/timeline/frame.h"
#include "core/present/timeline/timeline.h"
#include "ui/widgets/tokens.h"

#include <memory>
#include <optional>
#include <QList>
#include <QRectF>
#include <QString>

namespace firstbad::views {

/// Value range and ticks of one panel, on its warped axis.
struct PanelScale {
    core::PlotScale scale = core::PlotScale::Linear;
    double low = 0.0;
    double high = 1.0;
    QList<double> ticks;  ///< values, not warped
    bool isRobust = false;

    [[nodiscard]] double warped(double value) const noexcept;
};

struct RailRow {
    QString name;
    int panel = 0;
};

struct TimelineLayout {
    double left = 0.0;
    double right = 0.0;
    QRectF overview;  ///< null: none
    QRectF flags;  ///< the row of first-bad and incident flags
    QList<int> stripAttempts;  ///< attempts with a bar, top to bottom
    QRectF strip;
    QList<QRectF> panels;
    QList<RailRow> railRows;
    QRectF rail;
    QRectF axis;

    [[nodiscard]] double barY(int row) const noexcept;
};

struct TimelineScene {
    std::shared_ptr<const core::Timeline> timeline;
    std::shared_ptr<const core::AxisMap> axis;
    std::shared_ptr<const core::TimelineFrame> frame;  ///< may lag behind the range
    std::shared_ptr<const core::TimelineFrame> whole;  ///< of the whole run, for the overview
    TimelineLayout layout;
    QList<PanelScale> scales;
    double from = 0.0;  ///< range shown, on the axis
    double to = 1.0;
    double wholeFrom = 0.0;
    double wholeTo = 1.0;
    int attempt = -1;  ///< in focus
    QString incident;  ///< in focus
    std::optional<double> cursor;  ///< step
    std::optional<double> hover;  ///< step under the mouse
    std::optional<double> measure;  ///< step where a measure began
    std::optional<std::pair<double, double>> selection;  ///< pixels, while dragging

    [[nodiscard]] double x(double position) const noexcept;
    [[nodiscard]] double positionAt(double pixel) const noexcept;
    /// Pixel of a step of an attempt.
    [[nodiscard]] double stepX(int ofAttempt, double step) const noexcept;
    [[nodiscard]] double stepAtPixel(double pixel) const noexcept;
    [[nodiscard]] double y(int panel, double value) const noexcept;
    [[nodiscard]] const core::TimelineBand* focusedBand() const noexcept;
    [[nodiscard]] bool isShown(int shownAttempt) const noexcept;
    /// The attempt whose curves are solid.
    [[nodiscard]] int leadAttempt() const noexcept;
};

[[nodiscard]] QColor seriesColour(core::Quantity quantity, const ui::Tokens& tokens);

/// Name of the panel in the user's language.
[[nodiscard]] QString panelTitle(const core::TimelinePanel& panel);

}  // namespace firstbad::views
