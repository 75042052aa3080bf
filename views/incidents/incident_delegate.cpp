// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/incidents/incident_delegate.h"

#include "core/present/incident/incident_list.h"
#include "ui/bridge/incident_model.h"
#include "ui/bridge/text.h"
#include "ui/widgets/glyph.h"
#include "ui/widgets/theme.h"

#include <QPainter>

namespace firstbad::views {

namespace {

constexpr int kLeft = 30;
constexpr int kSparkWidth = 56;
constexpr int kSparkHeight = 26;
constexpr int kMargin = 8;

ui::Glyph glyphOf(core::IncidentClass verdict)
{
    switch (verdict) {
    case core::IncidentClass::Fault:
        return ui::Glyph::Fault;
    case core::IncidentClass::Benign:
        return ui::Glyph::Benign;
    case core::IncidentClass::Unknown:
        break;
    }
    return ui::Glyph::Unknown;
}

void paintSparkline(
    QPainter& painter, const core::Sparkline& line, const QRectF& rect, const ui::Tokens& t)
{
    if (line.places.empty())
        return;
    const double stepWidth = rect.width() / static_cast<double>(line.places.size());
    const double curveHeight = rect.height() - 5;
    const auto xOf
        = [&](std::size_t i) { return rect.left() + (static_cast<double>(i) + 0.5) * stepWidth; };
    const auto yOf = [&](float share) {
        return rect.top() + (1.0 - static_cast<double>(share)) * curveHeight;
    };
    painter.setPen(QPen(t.ring, 1));
    painter.drawLine(QPointF(xOf(line.onset), rect.top()), QPointF(xOf(line.onset), rect.bottom()));
    painter.setPen(QPen(t.loss, 1.2));
    QPolygonF run;
    for (std::size_t i = 0; i < line.places.size(); ++i) {
        const auto& place = line.places[i];
        if (place.hasValue) {
            run << QPointF(xOf(i), yOf(place.low));
            if (place.high > place.low)
                run << QPointF(xOf(i), yOf(place.high));
        } else if (place.isBad) {
            painter.drawPolyline(run);
            run.clear();
        }
        if (place.isBad)
            painter.fillRect(
                QRectF(xOf(i) - stepWidth / 2, rect.bottom() - 3, stepWidth + 0.5, 3), t.nan);
    }
    painter.drawPolyline(run);
}

}  // namespace

IncidentDelegate::IncidentDelegate(
    const bridge::IncidentModel& model, const ui::Theme& theme, QObject* parent)
    : QStyledItemDelegate(parent)
    , m_model(model)
    , m_theme(theme)
{ }

QSize IncidentDelegate::sizeHint(
    const QStyleOptionViewItem& /*option*/, const QModelIndex& index) const
{
    const bool summary = m_model.incidentAt(index.row()) == nullptr;
    return {100, m_theme.rowHeight(summary ? ui::kRowHeight + 2 : ui::kTwoLineHeight)};
}

void IncidentDelegate::paintSummary(QPainter& painter, const QRect& rect) const
{
    const ui::Tokens& t = m_theme.tokens();
    ui::paintGlyph(
        painter, ui::Glyph::Benign, QPointF(rect.left() + 16, rect.center().y() + 0.5), 6, t);
    painter.setFont(ui::Theme::font(ui::kTextPixels));
    const QString action = m_model.isBenignShown() ? tr("hide") : tr("show");
    const int width = painter.fontMetrics().horizontalAdvance(action);
    painter.setPen(t.accent);
    painter.drawText(rect.adjusted(0, 0, -kMargin, 0), Qt::AlignRight | Qt::AlignVCenter, action);
    painter.setPen(t.text2);
    const QRect room = rect.adjusted(kLeft, 0, -width - 2 * kMargin, 0);
    painter.drawText(room, Qt::AlignVCenter,
        painter.fontMetrics().elidedText(m_model.summary(), Qt::ElideRight, room.width()));
}

void IncidentDelegate::paint(
    QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const
{
    const ui::Tokens& t = m_theme.tokens();
    const bool selected = option.state.testFlag(QStyle::State_Selected);
    painter->save();
    painter->setRenderHint(QPainter::Antialiasing);
    if (selected || option.state.testFlag(QStyle::State_MouseOver))
        painter->fillRect(option.rect, selected ? t.selection : t.hover);
    const QRect rect = option.rect;
    const auto* row = m_model.incidentAt(index.row());
    if (row == nullptr) {
        paintSummary(*painter, rect);
        painter->restore();
        return;
    }
    if (selected)
        painter->fillRect(QRect(rect.left(), rect.top(), 2, rect.height()), t.accent);
    ui::paintGlyph(
        *painter, glyphOf(row->verdict), QPointF(rect.left() + 16, rect.top() + 13), 7, t);
    const QString place = QStringLiteral("%1 · %2").arg(
        bridge::qText(row->attemptName), bridge::grouped(row->onset));
    const QString verdict = QStringLiteral("%1 %2")
                                .arg(ui::nameOf(glyphOf(row->verdict)))
                                .arg(row->confidence, 0, 'f', 1);
    painter->setFont(ui::Theme::font(ui::kCaptionPixels));
    const int right = qMax(painter->fontMetrics().horizontalAdvance(place),
        painter->fontMetrics().horizontalAdvance(verdict));
    const QRect upper(rect.left() + kLeft, rect.top() + 4, rect.width() - kLeft - kMargin, 16);
    const QRect lower = upper.translated(0, 15);
    painter->setPen(t.text2);
    painter->drawText(upper, Qt::AlignRight | Qt::AlignVCenter, place);
    painter->drawText(lower, Qt::AlignRight | Qt::AlignVCenter, verdict);
    const bool wide = rect.width() > 250;
    const QRectF spark(
        upper.right() - right - kSparkWidth - 8, rect.top() + 6, kSparkWidth, kSparkHeight);
    if (wide)
        paintSparkline(*painter, row->sparkline, spark, t);
    const int room = upper.width() - right - 8 - (wide ? kSparkWidth + 8 : 0);
    painter->setPen(t.text2);
    painter->drawText(lower, Qt::AlignVCenter,
        painter->fontMetrics().elidedText(bridge::qText(row->title), Qt::ElideRight, room));
    painter->setFont(ui::Theme::font(ui::kListTitlePixels, true));
    painter->setPen(t.text);
    painter->drawText(upper, Qt::AlignVCenter,
        painter->fontMetrics().elidedText(
            bridge::qText(toString(row->kind)), Qt::ElideRight, room));
    painter->restore();
}

}  // namespace firstbad::views
