// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/notice.h"

#include "ui/widgets/glyph.h"
#include "ui/widgets/theme.h"

#include <QHBoxLayout>
#include <QLabel>

namespace firstbad::ui {

namespace {

constexpr int kMarkSize = 16;

}  // namespace

Notice::Notice(Theme& theme, QWidget* parent)
    : QFrame(parent)
    , m_theme(theme)
    , m_mark(new QLabel(this))
    , m_text(new QLabel(this))
{
    setObjectName(QStringLiteral("notice"));
    setAutoFillBackground(true);
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(8, 6, 8, 6);
    row->setSpacing(8);
    row->addWidget(m_mark, 0, Qt::AlignTop);
    row->addWidget(m_text, 1);
    m_text->setWordWrap(true);
    m_text->setTextFormat(Qt::RichText);
    m_text->setTextInteractionFlags(Qt::TextSelectableByMouse);
    connect(&theme, &Theme::changed, this, &Notice::applyTheme);
    applyTheme();
    hide();
}

QString Notice::sentence() const
{
    return isHidden() ? QString() : m_text->text();
}

void Notice::show(const QString& sentence, const QString& hint, bool isError)
{
    m_isError = isError;
    QString html = QStringLiteral("<b>%1</b>").arg(sentence.toHtmlEscaped());
    if (!hint.isEmpty())
        html += QStringLiteral(" ") + hint.toHtmlEscaped();
    m_text->setText(html);
    m_text->setAccessibleName(sentence);
    applyTheme();
    setVisible(!sentence.isEmpty());
}

void Notice::applyTheme()
{
    const Tokens& t = m_theme.tokens();
    QPalette own = palette();
    own.setColor(QPalette::Window, t.header);
    own.setColor(QPalette::WindowText, t.text);
    setPalette(own);
    const Glyph glyph = m_isError ? Glyph::Fault : Glyph::Unknown;
    m_mark->setPixmap(glyphPixmap(glyph, kMarkSize, devicePixelRatioF(), t));
    m_mark->setAccessibleName(nameOf(glyph));
}

}  // namespace firstbad::ui
