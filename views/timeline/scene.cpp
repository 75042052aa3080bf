// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/timeline/scene.h"

#include "ui/bridge/text.h"

#include <algorithm>
#include <cmath>
#include <QCoreApplication>

namespace firstbad::views {

namespace {

constexpr double kBarHeight = 26.0;

}  // namespace

double PanelScale::warped(double value) const noexcept
{
    return scale == core::PlotScale::Linear ? value : std::log2(std::max(value, 1e-300));
}

double TimelineLayout::barY(int row) const noexcept
{
    return strip.top() + row * kBarHeight + kBarHeight / 2.0;
}

double TimelineScene::x(double position) const noexcept
{
    const double width = std::max(to - from, 1e-12);
    return layout.left + (position - from) / width * (layout.right - layout.left);
}

double TimelineScene::positionAt(double pixel) const noexcept
{
    const double width = std::max(layout.right - layout.left, 1.0);
    return from + (pixel - layout.left) / width * (to - from);
}

double TimelineScene::stepX(int ofAttempt, double step) const noexcept
{
    return x(axis->position(static_cast<std::size_t>(std::max(ofAttempt, 0)), step));
}

double TimelineScene::stepAtPixel(double pixel) const noexcept
{
    return axis->stepAt(static_cast<std::size_t>(std::max(leadAttempt(), 0)), positionAt(pixel));
}

double TimelineScene::y(int panel, double value) const noexcept
{
    const PanelScale& scale = scales[panel];
    const QRectF& rect = layout.panels[panel];
    const double low = scale.warped(scale.low);
    const double height = std::max(scale.warped(scale.high) - low, 1e-12);
    return rect.bottom() - (scale.warped(value) - low) / height * rect.height();
}

const core::TimelineBand* TimelineScene::focusedBand() const noexcept
{
    if (!timeline)
        return nullptr;
    for (const core::TimelineBand& band : timeline->bands) {
        if (bridge::qText(band.id) == incident)
            return &band;
    }
    return nullptr;
}

bool TimelineScene::isShown(int shownAttempt) const noexcept
{
    const auto at = static_cast<std::size_t>(shownAttempt);
    const bool masked = frame && at < frame->view.shownAttempts.size();
    return !masked || frame->view.shownAttempts[at];
}

int TimelineScene::leadAttempt() const noexcept
{
    const int count = timeline ? static_cast<int>(timeline->attempts.size()) : 0;
    return attempt >= 0 && attempt < count ? attempt : count - 1;
}

QColor seriesColour(core::Quantity quantity, const ui::Tokens& t)
{
    switch (quantity) {
    case core::Quantity::Loss:
        return t.loss;
    case core::Quantity::LossScale:
        return t.lossScale;
    case core::Quantity::GradNorm:
        return t.gradNorm;
    default:
        return t.rate;
    }
}

QString panelTitle(const core::TimelinePanel& panel)
{
    const auto translated
        = [](const char* text) { return QCoreApplication::translate("Timeline", text); };
    switch (panel.quantity) {
    case core::Quantity::Loss:
        return translated(QT_TRANSLATE_NOOP("Timeline", "loss"));
    case core::Quantity::LossScale:
        return translated(QT_TRANSLATE_NOOP("Timeline", "loss scale"));
    case core::Quantity::GradNorm:
        return translated(QT_TRANSLATE_NOOP("Timeline", "grad norm"));
    case core::Quantity::LearningRate:
        return translated(QT_TRANSLATE_NOOP("Timeline", "learning rate"));
    default:
        return bridge::qText(panel.label);
    }
}

}  // namespace firstbad::views
