// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/sources/source_text_view.h"

#include "core/import/source_excerpt.h"
#include "ui/bridge/incident_focus.h"
#include "ui/bridge/run_job.h"
#include "ui/bridge/text.h"
#include "ui/bridge/workspace.h"
#include "ui/bridge/workspace_snapshot.h"
#include "ui/widgets/theme.h"

#include <QAction>
#include <QPlainTextEdit>
#include <QTextBlock>
#include <QVBoxLayout>

namespace firstbad::views {

namespace {

const QString kJob = QStringLiteral("source text");
constexpr qint64 kLinesAround = 150;

}  // namespace

SourceTextView::SourceTextView(const ui::ViewContext& context, QWidget* parent)
    : ViewWidget(parent)
    , m_context(context)
    , m_text(new QPlainTextEdit(this))
{
    m_text->setObjectName(QStringLiteral("sourceText"));
    m_text->setAccessibleName(tr("Text of the source"));
    m_text->setReadOnly(true);
    m_text->setLineWrapMode(QPlainTextEdit::NoWrap);
    m_text->setFrameShape(QFrame::NoFrame);
    m_text->setFont(ui::Theme::fixedFont(ui::kCaptionPixels));
    m_text->setUndoRedoEnabled(false);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->addWidget(m_text);
    setFocusProxy(m_text);
    for (const auto& [name, direction] :
        {std::pair(tr("earlier lines"), -1), std::pair(tr("later lines"), 1)}) {
        auto* action = new QAction(name, this);
        action->setProperty("inHeader", true);
        connect(action, &QAction::triggered, this, [this, direction] { turnPage(direction); });
        addAction(action);
    }
    connect(&context.focus, &bridge::IncidentFocus::changed, this, &SourceTextView::followFocus);
    connect(&context.theme, &ui::Theme::changed, this, &SourceTextView::markLine);
    followFocus();
}

void SourceTextView::followFocus()
{
    const bridge::FocusState& focus = m_context.focus.state();
    if (focus.source < 0 || (focus.source == m_source && focus.line == m_line))
        return;
    m_line = focus.line;
    read(focus.source, focus.line);
}

void SourceTextView::turnPage(int direction)
{
    if (m_source >= 0)
        read(m_source, qMax<qint64>(m_centre + direction * 2 * kLinesAround, 1));
}

void SourceTextView::read(int source, qint64 line)
{
    const auto snapshot = m_context.workspace.snapshot();
    if (!snapshot || static_cast<std::size_t>(source) >= snapshot->locations.size())
        return;
    m_source = source;
    m_centre = line;
    const auto& info = snapshot->assessment.dataset->sources[static_cast<std::size_t>(source)];
    setSubtitle(tr("%1, around line %2").arg(bridge::qText(info.path), bridge::grouped(line)));
    bridge::runJob(
        m_context.workspace.jobs(), kJob,
        [path = snapshot->locations[static_cast<std::size_t>(source)],
            at = static_cast<std::uint64_t>(line)](core::JobContext& job) {
            return core::readExcerpt(path, at, kLinesAround, kLinesAround, job);
        },
        bridge::whileAlive(
            this, [this](const core::Result<std::shared_ptr<const core::SourceExcerpt>>& found) {
                if (found) {
                    setNotice({});
                    showExcerpt(**found);
                    return;
                }
                if (found.error().code == core::ErrorCode::Cancelled)
                    return;
                m_text->clear();
                setNotice(
                    {bridge::sentenceOf(found.error()), bridge::qText(found.error().hint), true});
            }));
}

void SourceTextView::showExcerpt(const core::SourceExcerpt& excerpt)
{
    QStringList lines;
    for (const core::ExcerptLine& line : excerpt.lines)
        lines.append(QStringLiteral("%1  %2").arg(
            bridge::grouped(static_cast<qint64>(line.number)).rightJustified(9),
            bridge::qText(line.text)));
    m_first = excerpt.lines.empty() ? 0 : static_cast<qint64>(excerpt.lines.front().number);
    m_text->setPlainText(lines.join(u'\n'));
    markLine();
}

void SourceTextView::markLine()
{
    const QTextBlock block
        = m_text->document()->findBlockByNumber(static_cast<int>(m_line - m_first));
    if (m_line < m_first || !block.isValid()) {
        m_text->setExtraSelections({});
        return;
    }
    QTextEdit::ExtraSelection mark;
    mark.cursor = QTextCursor(block);
    mark.format.setBackground(m_context.theme.tokens().selection);
    mark.format.setProperty(QTextFormat::FullWidthSelection, true);
    m_text->setExtraSelections({mark});
    m_text->setTextCursor(mark.cursor);
    m_text->centerCursor();
}

}  // namespace firstbad::views
