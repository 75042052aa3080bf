// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/theme.h"

#include <QApplication>
#include <QEvent>
#include <QFile>
#include <QFontDatabase>
#include <QPainter>
#include <QPalette>
#include <QPixmap>
#include <QSvgRenderer>

namespace firstbad::ui {

namespace {

constexpr int kComfort = 4;
constexpr int kIconSize = 16;

bool isDark(const QPalette& palette)
{
    return palette.color(QPalette::Window).lightness()
        < palette.color(QPalette::WindowText).lightness();
}

QPalette paletteOf(const Tokens& t)
{
    QPalette palette;
    palette.setColor(QPalette::Window, t.window);
    palette.setColor(QPalette::WindowText, t.text);
    palette.setColor(QPalette::Base, t.panel);
    palette.setColor(QPalette::AlternateBase, t.header);
    palette.setColor(QPalette::Text, t.text);
    palette.setColor(QPalette::PlaceholderText, t.text3);
    palette.setColor(QPalette::Button, t.panel);
    palette.setColor(QPalette::ButtonText, t.text);
    palette.setColor(QPalette::BrightText, t.fault);
    palette.setColor(QPalette::ToolTipBase, t.header);
    palette.setColor(QPalette::ToolTipText, t.text);
    palette.setColor(QPalette::Highlight, t.selection);
    palette.setColor(QPalette::HighlightedText, t.text);
    palette.setColor(QPalette::Link, t.accent);
    palette.setColor(QPalette::LinkVisited, t.accent);
    palette.setColor(QPalette::Light, t.hover);
    palette.setColor(QPalette::Midlight, t.hair);
    palette.setColor(QPalette::Mid, t.border);
    palette.setColor(QPalette::Dark, t.border);
    palette.setColor(QPalette::Shadow, t.border);
    for (const auto role : {QPalette::WindowText, QPalette::Text, QPalette::ButtonText})
        palette.setColor(QPalette::Disabled, role, t.givenUp);
    return palette;
}

}  // namespace

Theme::Theme(QObject* parent)
    : QObject(parent)
    , m_tokens(&lightTokens())
    , m_systemDark(isDark(QApplication::palette()))
{
    QFont text = QFontDatabase::systemFont(QFontDatabase::GeneralFont);
    text.setPixelSize(kTextPixels);
    QApplication::setFont(text);
    qApp->installEventFilter(this);
    apply();
}

void Theme::setMode(Mode mode)
{
    if (mode == m_mode)
        return;
    m_mode = mode;
    apply();
}

void Theme::setComfortable(bool on)
{
    if (on == m_comfortable)
        return;
    m_comfortable = on;
    emit changed();
}

int Theme::rowHeight(int compact) const noexcept
{
    return compact + (m_comfortable ? kComfort : 0);
}

bool Theme::systemIsDark() const
{
    return m_systemDark;
}

void Theme::apply()
{
    const bool dark = m_mode == Mode::Dark || (m_mode == Mode::System && systemIsDark());
    m_tokens = dark ? &darkTokens() : &lightTokens();
    m_applying = true;
    QApplication::setPalette(paletteOf(*m_tokens));
    m_applying = false;
    emit changed();
}

bool Theme::eventFilter(QObject* watched, QEvent* event)
{
    // The desktop changed its colours: our own palette is not news.
    if (watched == qApp && event->type() == QEvent::ApplicationPaletteChange && !m_applying) {
        const QPalette now = QApplication::palette();
        if (now != paletteOf(*m_tokens)) {
            m_systemDark = isDark(now);
            apply();
        }
    }
    return QObject::eventFilter(watched, event);
}

QFont Theme::font(int pixels, bool strong)
{
    QFont font = QApplication::font();
    font.setPixelSize(pixels);
    font.setWeight(strong ? QFont::DemiBold : QFont::Normal);
    return font;
}

QFont Theme::fixedFont(int pixels)
{
    QFont font = QFontDatabase::systemFont(QFontDatabase::FixedFont);
    font.setPixelSize(pixels);
    return font;
}

QPixmap Theme::iconPixmap(const QString& name, const QColor& colour, int size, qreal ratio)
{
    QFile file(QStringLiteral(":/icons/%1.svg").arg(name));
    if (!file.open(QIODevice::ReadOnly))
        return {};
    QByteArray svg = file.readAll();
    svg.replace("#000000", colour.name().toLatin1());
    QPixmap pixmap(QSize(size, size) * ratio);
    pixmap.fill(Qt::transparent);
    QPainter painter(&pixmap);
    painter.setRenderHint(QPainter::Antialiasing);
    QSvgRenderer(svg).render(&painter);
    painter.end();
    pixmap.setDevicePixelRatio(ratio);
    return pixmap;
}

QIcon Theme::icon(const QString& name) const
{
    QIcon icon;
    for (const qreal ratio : {1.0, 2.0}) {
        icon.addPixmap(iconPixmap(name, m_tokens->text, kIconSize, ratio));
        icon.addPixmap(iconPixmap(name, m_tokens->givenUp, kIconSize, ratio), QIcon::Disabled);
    }
    return icon;
}

}  // namespace firstbad::ui
