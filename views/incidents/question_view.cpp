// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/incidents/question_view.h"

#include "ui/bridge/incident_focus.h"
#include "ui/bridge/navigate.h"
#include "ui/bridge/run_job.h"
#include "ui/bridge/workspace.h"
#include "ui/widgets/theme.h"
#include "views/incidents/question_page.h"

#include <QAction>
#include <QLabel>
#include <QScrollArea>
#include <QScrollBar>
#include <QVBoxLayout>

namespace firstbad::views {

namespace {

const QString kJob = QStringLiteral("questions");
constexpr int kQuestions = 5;

}  // namespace

QuestionView::QuestionView(const ui::ViewContext& context, QWidget* parent)
    : ViewWidget(parent)
    , m_context(context)
    , m_scroll(new QScrollArea(this))
    , m_page(new QWidget(m_scroll))
    , m_column(new QVBoxLayout(m_page))
{
    m_scroll->setWidgetResizable(true);
    m_scroll->setFrameShape(QFrame::NoFrame);
    m_scroll->setWidget(m_page);
    m_scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    m_column->setContentsMargins(0, 0, 0, 0);
    m_column->setSpacing(0);
    m_column->addStretch();
    auto* outer = new QVBoxLayout(this);
    outer->setContentsMargins(0, 0, 0, 0);
    outer->addWidget(m_scroll);
    setFocusProxy(m_scroll);
    for (int number = 1; number <= kQuestions; ++number) {
        auto* action = new QAction(tr("Question %1").arg(number), this);
        action->setShortcut(QKeySequence(QStringLiteral("Alt+%1").arg(number)));
        connect(action, &QAction::triggered, this, [this, number] { scrollToQuestion(number); });
        addAction(action);
    }
    connect(&context.workspace, &bridge::Workspace::snapshotChanged, this, &QuestionView::show);
    connect(&context.focus, &bridge::IncidentFocus::changed, this, &QuestionView::show);
    connect(&context.theme, &ui::Theme::changed, this, &QuestionView::applyTheme);
    applyTheme();
}

void QuestionView::applyTheme()
{
    QPalette own = palette();
    own.setColor(QPalette::Window, m_context.theme.tokens().panel);
    m_page->setPalette(own);
    m_scroll->setPalette(own);
    m_linePalette = own;
    m_linePalette.setColor(QPalette::Window, m_context.theme.tokens().border);
    show();
}

void QuestionView::show()
{
    const auto snapshot = m_context.workspace.snapshot();
    const auto placed = bridge::placedInFocus(m_context.focus, snapshot.get());
    if (placed.incident == nullptr) {
        showEmpty();
        return;
    }
    const ui::Tokens& tokens = m_context.theme.tokens();
    bridge::runJob(
        m_context.workspace.jobs(), kJob,
        [snapshot, placed, &tokens](core::JobContext&) -> core::Result<QStringList> {
            QStringList blocks{headHtml(*snapshot, placed, tokens)};
            blocks += questionHtml(*snapshot, placed, tokens);
            blocks.append(notesHtml(*snapshot, placed, tokens));
            return blocks;
        },
        bridge::whileAlive(
            this, [this](const core::Result<std::shared_ptr<const QStringList>>& made) {
                if (made)
                    showBlocks(**made);
            }));
    setSubtitle(m_context.focus.state().incident);
}

void QuestionView::showEmpty()
{
    setSubtitle({});
    const auto snapshot = m_context.workspace.snapshot();
    const QString text = !snapshot ? tr("Open logs or a case to see what happened.")
        : !snapshot->isJudged      ? tr("The rules are looking.")
        : snapshot->incidents.rows.empty()
        ? tr("No incident was found in what was read.")
        : tr("Choose an incident on the left, or press N for the next.");
    showBlocks({text.toHtmlEscaped()});
}

QLabel* QuestionView::addBlock()
{
    auto* label = new QLabel(m_page);
    label->setWordWrap(true);
    label->setTextFormat(Qt::RichText);
    label->setTextInteractionFlags(Qt::TextBrowserInteraction);
    label->setMargin(8);
    label->setAlignment(Qt::AlignTop);
    connect(label, &QLabel::linkActivated, this, &QuestionView::follow);
    m_column->insertWidget(static_cast<int>(m_blocks.size()) * 2, label);
    auto* line = new QFrame(m_page);
    line->setFixedHeight(1);
    line->setAutoFillBackground(true);
    m_column->insertWidget(static_cast<int>(m_blocks.size()) * 2 + 1, line);
    m_lines.append(line);
    m_blocks.append(label);
    return label;
}

void QuestionView::showBlocks(const QStringList& blocks)
{
    while (m_blocks.size() < blocks.size())
        addBlock();
    for (qsizetype i = 0; i < m_blocks.size(); ++i) {
        const bool used = i < blocks.size();
        m_blocks[i]->setVisible(used);
        m_lines[i]->setPalette(m_linePalette);
        m_lines[i]->setVisible(used && i + 1 < blocks.size());
        if (used)
            m_blocks[i]->setText(blocks[i]);
    }
}

void QuestionView::scrollToQuestion(int number)
{
    if (number < m_blocks.size())
        m_scroll->verticalScrollBar()->setValue(m_blocks[number]->y());
}

void QuestionView::follow(const QString& link)
{
    const QStringList parts = link.split(QLatin1Char(':'));
    if (parts.size() < 2)
        return;
    if (parts[0] == QStringLiteral("step"))
        m_context.focus.setCursor(parts[1].toLongLong());
    else if (parts[0] == QStringLiteral("source") && parts.size() > 2)
        m_context.focus.showSource(parts[1].toInt(), parts[2].toLongLong());
    else if (parts[0] == QStringLiteral("withdraw"))
        m_context.workspace.withdraw(parts[1].toLongLong());
    else if (parts[0] == QStringLiteral("incident")) {
        if (const auto snapshot = m_context.workspace.snapshot())
            bridge::focusOnIncident(m_context.focus, *snapshot, parts[1]);
    }
}

}  // namespace firstbad::views
