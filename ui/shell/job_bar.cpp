// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/shell/job_bar.h"

#include "ui/bridge/job_runner.h"
#include "ui/bridge/text.h"
#include "ui/bridge/workspace.h"
#include "ui/bridge/workspace_snapshot.h"
#include "ui/widgets/theme.h"

#include <algorithm>
#include <array>
#include <QCoreApplication>
#include <QLabel>
#include <QProgressBar>
#include <QToolButton>

namespace firstbad::ui {

namespace {

constexpr int kPollMs = 100;
constexpr int kBarWidth = 90;
constexpr int kBarHeight = 6;
constexpr quint64 kMostUnits = 1000;

struct JobName {
    const char* kind;
    const char* name;
};
/// Jobs worth a line; drawing frames is not.
constexpr std::array<JobName, 4> kJobs{{
    {"read", QT_TRANSLATE_NOOP("JobBar", "Reading")},
    {"judge", QT_TRANSLATE_NOOP("JobBar", "Judging")},
    {"keep", QT_TRANSLATE_NOOP("JobBar", "Writing the case")},
    {"source text", QT_TRANSLATE_NOOP("JobBar", "Reading the source")},
}};

QString nameOf(const QString& kind)
{
    for (const JobName& job : kJobs) {
        if (kind == QString::fromUtf8(job.kind))
            return QCoreApplication::translate("JobBar", job.name);
    }
    return {};
}

}  // namespace

JobBar::JobBar(bridge::Workspace& workspace, Theme& theme, QWidget* parent)
    : QStatusBar(parent)
    , m_workspace(workspace)
    , m_theme(theme)
    , m_job(new QLabel(this))
    , m_bar(new QProgressBar(this))
    , m_progress(new QLabel(this))
    , m_cancel(new QToolButton(this))
    , m_follow(new QLabel(this))
    , m_case(new QLabel(this))
    , m_notes(new QLabel(this))
{
    setSizeGripEnabled(false);
    setContentsMargins(6, 0, 6, 0);
    m_bar->setTextVisible(false);
    m_bar->setFixedSize(kBarWidth, kBarHeight);
    m_cancel->setAutoRaise(true);
    m_cancel->setObjectName(QStringLiteral("cancelJob"));
    m_cancel->setToolTip(tr("Cancel this job"));
    m_cancel->setAccessibleName(tr("Cancel this job"));
    for (QWidget* widget :
        std::initializer_list<QWidget*>{m_job, m_bar, m_progress, m_cancel, m_follow})
        addWidget(widget);
    addPermanentWidget(m_case);
    addPermanentWidget(m_notes);
    m_timer.setInterval(kPollMs);
    connect(&m_timer, &QTimer::timeout, this, &JobBar::poll);
    connect(m_cancel, &QToolButton::clicked, this, &JobBar::cancelRequested);
    connect(m_notes, &QLabel::linkActivated, this, &JobBar::notesRequested);
    connect(&workspace.jobs(), &bridge::JobRunner::jobStarted, this, &JobBar::jobStarted);
    connect(&workspace.jobs(), &bridge::JobRunner::jobEnded, this, &JobBar::jobEnded);
    connect(&workspace, &bridge::Workspace::stateChanged, this, &JobBar::showState);
    connect(&workspace, &bridge::Workspace::snapshotChanged, this, &JobBar::showState);
    connect(&workspace, &bridge::Workspace::followingChanged, this, &JobBar::showState);
    connect(&theme, &Theme::changed, this, &JobBar::applyTheme);
    applyTheme();
    poll();
    showState();
}

void JobBar::applyTheme()
{
    const Tokens& t = m_theme.tokens();
    m_cancel->setIcon(m_theme.icon(QStringLiteral("close")));
    QPalette bar = palette();
    bar.setColor(QPalette::Highlight, t.accent);
    bar.setColor(QPalette::Base, t.hair);
    bar.setColor(QPalette::Window, t.hair);
    m_bar->setPalette(bar);
    showState();
}

void JobBar::say(const QString& sentence)
{
    m_job->setText(sentence);
}

void JobBar::jobStarted(const QString& kind)
{
    if (nameOf(kind).isEmpty())
        return;
    m_running.removeAll(kind);
    m_running.append(kind);
    m_timer.start();
    poll();
}

void JobBar::jobEnded(const QString& kind)
{
    m_running.removeAll(kind);
    if (m_running.isEmpty())
        m_timer.stop();
    poll();
}

void JobBar::poll()
{
    const bool busy = !m_running.isEmpty();
    m_bar->setVisible(busy);
    m_cancel->setVisible(busy);
    m_progress->setVisible(busy);
    if (!busy) {
        m_job->setText(m_workspace.snapshot() ? tr("Ready") : tr("Nothing is open"));
        return;
    }
    const auto progress = m_workspace.jobs().progress(m_running.last());
    m_job->setText(nameOf(m_running.last()));
    if (progress.total == 0) {
        m_bar->setRange(0, 0);
        m_progress->setText(progress.stage);
        return;
    }
    m_bar->setRange(0, static_cast<int>(kMostUnits));
    const quint64 done = std::min(progress.done, progress.total);
    m_bar->setValue(static_cast<int>(
        static_cast<double>(done) / static_cast<double>(progress.total) * kMostUnits));
    m_progress->setText(tr("%1 %").arg(100 * done / progress.total));
}

void JobBar::showState()
{
    const Tokens& t = m_theme.tokens();
    m_follow->setText(m_workspace.isFollowing()
            ? QStringLiteral("<span style='color:%1'>▶</span> %2")
                  .arg(t.committed.name(), tr("Following"))
            : QString());
    const QString title = m_workspace.title();
    m_case->setText(title.isEmpty()              ? tr("no case open")
            : m_workspace.caseFolder().isEmpty() ? tr("%1 (not kept)").arg(title)
                                                 : title);
    const auto snapshot = m_workspace.snapshot();
    const auto notes = snapshot
        ? std::count_if(snapshot->annotations.begin(), snapshot->annotations.end(),
            [](const core::Annotation& note) { return !note.withdraws && !note.withdrawnBy; })
        : 0;
    m_notes->setText(notes > 0 ? tr("%n note(s)", nullptr, static_cast<int>(notes)) : QString());
    if (m_running.isEmpty())
        poll();
}

}  // namespace firstbad::ui
