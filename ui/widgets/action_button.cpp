// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/action_button.h"

#include "ui/widgets/theme.h"

#include <QAction>
#include <QPainter>

namespace firstbad::ui {

namespace {

constexpr int kPad = 10;
constexpr int kIcon = 14;
constexpr int kGap = 6;
constexpr int kKeyPad = 5;

QString plainText(const QAction& action)
{
    return QString(action.text()).remove(u'&').remove(QStringLiteral("…"));
}

}  // namespace

ActionButton::ActionButton(QAction* action, Theme& theme, Rank rank, QWidget* parent)
    : QPushButton(parent)
    , m_action(action)
    , m_theme(theme)
    , m_rank(rank)
{
    setAccessibleName(plainText(*action));
    setToolTip(action->toolTip());
    setFont(Theme::font(kTextPixels, rank == Rank::Primary));
    setCursor(Qt::PointingHandCursor);
    connect(this, &QPushButton::clicked, action, &QAction::trigger);
    connect(&theme, &Theme::changed, this, qOverload<>(&QWidget::update));
}

QString ActionButton::keys() const
{
    return m_action->shortcut().toString(QKeySequence::NativeText);
}

QSize ActionButton::sizeHint() const
{
    int width = 2 * kPad + fontMetrics().horizontalAdvance(plainText(*m_action));
    if (!m_action->icon().isNull())
        width += kIcon + kGap;
    if (!keys().isEmpty())
        width += kGap + 2 * kKeyPad
            + QFontMetrics(Theme::fixedFont(kCaptionPixels)).horizontalAdvance(keys());
    return {width, kButtonHeight};
}

void ActionButton::paintEvent(QPaintEvent* /*event*/)
{
    const Tokens& t = m_theme.tokens();
    const bool primary = m_rank == Rank::Primary;
    const QColor ink = primary ? t.panel : t.text;
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    QColor fill = primary ? t.accent : (underMouse() ? t.hover : t.panel);
    if (primary && underMouse())
        fill = fill.lighter(112);
    painter.setBrush(fill);
    painter.setPen(QPen(hasFocus() ? t.text
            : primary              ? t.accent
                                   : t.border,
        hasFocus() ? 2.0 : 1.0));
    painter.drawRoundedRect(QRectF(rect()).adjusted(1, 1, -1, -1), 4, 4);
    int x = kPad;
    if (!m_action->icon().isNull()) {
        const QPixmap icon = Theme::iconPixmap(
            m_action->property("iconName").toString(), ink, kIcon, devicePixelRatioF());
        painter.drawPixmap(QPoint(x, (height() - kIcon) / 2), icon);
        x += kIcon + kGap;
    }
    painter.setPen(ink);
    painter.setFont(font());
    const QString text = plainText(*m_action);
    painter.drawText(QRect(x, 0, width() - x, height()), Qt::AlignVCenter, text);
    if (keys().isEmpty())
        return;
    x += fontMetrics().horizontalAdvance(text) + kGap;
    painter.setFont(Theme::fixedFont(kCaptionPixels));
    const int keyWidth = painter.fontMetrics().horizontalAdvance(keys()) + 2 * kKeyPad - 2;
    QColor line = ink;
    line.setAlphaF(0.45F);
    painter.setPen(line);
    painter.setBrush(Qt::NoBrush);
    const QRectF box(x + 0.5, (height() - 16) / 2.0, keyWidth, 16);
    painter.drawRoundedRect(box, 3, 3);
    painter.setPen(ink);
    painter.drawText(box, Qt::AlignCenter, keys());
}

}  // namespace firstbad::ui
