// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/card.h"

#include "ui/widgets/theme.h"

#include <QPainter>

namespace firstbad::ui {

namespace {

constexpr double kRadius = 6.0;

}  // namespace

Card::Card(Theme& theme, Edge edge, QWidget* parent)
    : QFrame(parent)
    , m_theme(theme)
    , m_edge(edge)
{
    connect(&theme, &Theme::changed, this, qOverload<>(&QWidget::update));
}

void Card::paintEvent(QPaintEvent* /*event*/)
{
    const Tokens& t = m_theme.tokens();
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    QPen pen(m_edge == Edge::Dashed ? t.accent : t.border, 1.0);
    if (m_edge == Edge::Dashed)
        pen.setDashPattern({4, 3});
    painter.setPen(pen);
    painter.setBrush(t.panel);
    painter.drawRoundedRect(QRectF(rect()).adjusted(0.5, 0.5, -0.5, -0.5), kRadius, kRadius);
}

}  // namespace firstbad::ui
