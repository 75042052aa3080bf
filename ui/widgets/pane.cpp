// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/pane.h"

#include "ui/widgets/notice.h"
#include "ui/widgets/theme.h"

#include <QAction>
#include <QHBoxLayout>
#include <QLabel>
#include <QToolButton>
#include <QVBoxLayout>

namespace firstbad::ui {

void ViewWidget::setSubtitle(const QString& text)
{
    if (text == m_subtitle)
        return;
    m_subtitle = text;
    emit subtitleChanged();
}

void ViewWidget::setNotice(const NoticeText& notice)
{
    m_notice = notice;
    emit noticeChanged();
}

Pane::Pane(const QString& title, ViewWidget* view, Theme& theme, QWidget* parent)
    : QFrame(parent)
    , m_theme(theme)
    , m_view(view)
    , m_column(new QVBoxLayout(this))
{
    m_column->setContentsMargins(0, 0, 0, 0);
    m_column->setSpacing(0);
    setAutoFillBackground(true);
    createHeader(title);
    m_notice = new Notice(theme, this);
    m_column->addWidget(m_notice);
    m_column->addWidget(view, 1);
    view->setParent(this);
    view->setAccessibleName(title);
    setFocusProxy(view);
    connect(view, &ViewWidget::subtitleChanged, this, &Pane::showSubtitle);
    connect(view, &ViewWidget::noticeChanged, this, &Pane::showNotice);
    connect(&theme, &Theme::changed, this, &Pane::applyTheme);
    applyTheme();
    showSubtitle();
    showNotice();
}

void Pane::createHeader(const QString& title)
{
    m_header = new QFrame(this);
    m_header->setAutoFillBackground(true);
    m_header->setFixedHeight(kPaneHeadHeight);
    auto* row = new QHBoxLayout(m_header);
    row->setContentsMargins(8, 0, 4, 0);
    row->setSpacing(6);
    m_title = new QLabel(title, m_header);
    m_title->setFont(Theme::font(kTextPixels, true));
    m_subtitle = new QLabel(m_header);
    m_subtitle->setFont(Theme::font(kTextPixels));
    m_subtitle->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
    row->addWidget(m_title);
    row->addWidget(m_subtitle, 1);
    for (QAction* action : m_view->actions()) {
        if (!action->property("inHeader").toBool())
            continue;
        auto* button = new QToolButton(m_header);
        button->setDefaultAction(action);
        button->setAutoRaise(true);
        button->setPopupMode(QToolButton::InstantPopup);
        button->setToolButtonStyle(
            action->icon().isNull() ? Qt::ToolButtonTextOnly : Qt::ToolButtonIconOnly);
        button->setFont(Theme::font(kCaptionPixels));
        button->setFocusPolicy(Qt::TabFocus);
        row->addWidget(button);
    }
    m_column->addWidget(m_header);
}

void Pane::showSubtitle()
{
    m_subtitle->setText(m_view->subtitle());
}

void Pane::showNotice()
{
    m_notice->show(m_view->notice().sentence, m_view->notice().hint, m_view->notice().isError);
}

void Pane::applyTheme()
{
    const Tokens& t = m_theme.tokens();
    QPalette own = palette();
    own.setColor(QPalette::Window, t.panel);
    own.setColor(QPalette::WindowText, t.text);
    setPalette(own);
    QPalette header = own;
    header.setColor(QPalette::Window, t.header);
    m_header->setPalette(header);
    QPalette muted = header;
    muted.setColor(QPalette::WindowText, t.text2);
    m_subtitle->setPalette(muted);
}

}  // namespace firstbad::ui
