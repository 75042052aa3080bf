// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/cursor/cursor_view.h"

#include "ui/bridge/incident_focus.h"
#include "ui/bridge/text.h"
#include "ui/bridge/workspace.h"
#include "ui/bridge/workspace_snapshot.h"
#include "ui/widgets/theme.h"
#include "views/cursor/cursor_page.h"

#include <QLabel>
#include <QScrollArea>
#include <QVBoxLayout>

namespace firstbad::views {

CursorView::CursorView(const ui::ViewContext& context, QWidget* parent)
    : ViewWidget(parent)
    , m_context(context)
    , m_text(new QLabel)
    , m_page(m_text)
{
    m_text->setObjectName(QStringLiteral("cursorValues"));
    m_text->setTextFormat(Qt::RichText);
    m_text->setAlignment(Qt::AlignTop);
    m_text->setMargin(8);
    m_text->setWordWrap(true);
    m_text->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    m_text->setAutoFillBackground(true);
    auto* scroll = new QScrollArea(this);
    scroll->setFrameShape(QFrame::NoFrame);
    scroll->setWidgetResizable(true);
    scroll->setWidget(m_text);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->addWidget(scroll);
    connect(&context.focus, &bridge::IncidentFocus::cursorMoved, this, &CursorView::show);
    connect(&context.focus, &bridge::IncidentFocus::changed, this, &CursorView::show);
    connect(&context.workspace, &bridge::Workspace::snapshotChanged, this, &CursorView::show);
    connect(&context.theme, &ui::Theme::changed, this, &CursorView::show);
    show();
}

void CursorView::show()
{
    const ui::Tokens& t = m_context.theme.tokens();
    QPalette own = palette();
    own.setColor(QPalette::Window, t.panel);
    m_page->setPalette(own);
    const auto snapshot = m_context.workspace.snapshot();
    const auto& focus = m_context.focus;
    const auto run = static_cast<std::size_t>(qMax(focus.state().run, 0));
    if (!snapshot || !focus.hasCursor() || run >= snapshot->assessment.dataset->runs.size()) {
        setSubtitle({});
        m_text->setText(tr("Click into the timeline, or press Home, to read exact values."));
        return;
    }
    const core::Run& shown = *snapshot->assessment.dataset->runs[run];
    if (shown.attempts.empty())
        return;
    const int last = static_cast<int>(shown.attempts.size()) - 1;
    const int wanted = focus.state().attempt < 0 ? last : qMin(focus.state().attempt, last);
    const CursorPlace place{static_cast<std::size_t>(wanted), focus.cursorStep()};
    setSubtitle(tr("step %1").arg(bridge::grouped(focus.cursorStep())));
    QString html = cursorHtml(shown, place, t);
    if (focus.hasMeasure())
        html += measureHtml(shown, focus.measureStep(), place, t);
    m_text->setText(html);
}

}  // namespace firstbad::views
