// SPDX-License-Identifier: GPL-3.0-or-later
// Paints a row of the list of incidents: class glyph, kind, place, title, curve.
//
// GUI thread; reads the snapshot's rows through the model.
#pragma once

#include <QStyledItemDelegate>

namespace firstbad::bridge {
class IncidentModel;
}  // namespace firstbad::bridge
namespace firstbad::ui {
class Theme;
}  // namespace firstbad::ui

namespace firstbad::views {

class IncidentDelegate : public QStyledItemDelegate
{
    Q_OBJECT
public:
    IncidentDelegate(const bridge::IncidentModel& model, const ui::Theme& theme, QObject* parent);

    void paint(QPainter* painter, const QStyleOptionViewItem& option,
        const QModelIndex& index) const override;
    [[nodiscard]] QSize sizeHint(
        const QStyleOptionViewItem& option, const QModelIndex& index) const override;

private:
    void paintSummary(QPainter& painter, const QRect& rect) const;

    const bridge::IncidentModel& m_model;
    const ui::Theme& m_theme;
};

}  // namespace firstbad::views
