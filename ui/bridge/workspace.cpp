// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/bridge/workspace.h"

#include "core/import/artifact.h"
#include "ui/bridge/open_case.h"
#include "ui/bridge/run_job.h"
#include "ui/bridge/text.h"

#include <QDir>
#include <QFile>
#include <QFileInfo>

namespace firstbad::bridge {

namespace {

const QString kReadJob = QStringLiteral("read");
const QString kJudgeJob = QStringLiteral("judge");
const QString kFollowJob = QStringLiteral("follow");
const QString kKeepJob = QStringLiteral("keep");
constexpr int kFollowMs = 1000;

std::filesystem::path toPath(const QString& text)
{
    return {QFile::encodeName(text).toStdString()};
}

Paths toPaths(const QStringList& texts)
{
    Paths paths;
    for (const QString& text : texts)
        paths.push_back(toPath(text));
    return paths;
}

}  // namespace

struct Workspace::Growth {
    std::vector<std::pair<std::uintmax_t, std::int64_t>> stamps;
};

Workspace::Workspace(JobRunner& jobs, QObject* parent)
    : QObject(parent)
    , m_jobs(jobs)
    , m_settings(std::make_shared<core::Settings>())
    , m_growth(std::make_shared<Growth>())
{
    m_store.setMaxThreadCount(1);
    m_followTimer.setInterval(kFollowMs);
    connect(&m_followTimer, &QTimer::timeout, this, &Workspace::lookForGrowth);
}

Workspace::~Workspace()
{
    m_store.waitForDone();  // a note that was asked for is written
}

QString Workspace::caseFolder() const
{
    const bool isCase = m_paths.size() == 1 && core::isCaseFolder(toPath(m_paths.front()));
    return isCase ? m_paths.front() : QString();
}

QString Workspace::title() const
{
    if (m_paths.isEmpty())
        return {};
    // "run" alone says little: its folder belongs to the name.
    const QStringList parts = QDir::cleanPath(m_paths.front()).split(u'/', Qt::SkipEmptyParts);
    const QString first = parts.mid(qMax<qsizetype>(parts.size() - 2, 0)).join(u'/');
    return m_paths.size() == 1 ? first : tr("%1 and %2 more").arg(first).arg(m_paths.size() - 1);
}

void Workspace::open(const QStringList& paths)
{
    if (paths.isEmpty())
        return;
    m_jobs.cancel(kJudgeJob);
    m_jobs.cancel(kFollowJob);
    m_snapshot.reset();
    m_paths = paths;
    emit snapshotChanged();
    read(false);
}

void Workspace::add(const QStringList& paths)
{
    if (m_paths.isEmpty()) {
        open(paths);
        return;
    }
    const QString folder = caseFolder();
    if (folder.isEmpty()) {
        open(m_paths + paths);
        return;
    }
    const auto receive = [this](const core::Result<std::shared_ptr<const core::AddReport>>& done) {
        if (done)
            read(true);
        else
            fail(done.error());
    };
    runJob(
        m_jobs, kKeepJob,
        [folder = toPath(folder), added = toPaths(paths), settings = *m_settings](
            core::JobContext& job) { return bridge::keepAsCase(folder, added, settings, job); },
        receive);
}

void Workspace::reload()
{
    if (!m_paths.isEmpty())
        read(m_snapshot != nullptr);
}

void Workspace::cancelReading()
{
    m_jobs.cancel(kReadJob);
    m_jobs.cancel(kJudgeJob);
    if (m_snapshot) {
        setState(State::Ready);
        return;
    }
    m_paths.clear();
    setState(State::Empty);
}

void Workspace::close()
{
    setFollowing(false);
    m_jobs.cancel(kReadJob);
    m_jobs.cancel(kJudgeJob);
    m_paths.clear();
    m_snapshot.reset();
    emit snapshotChanged();
    setState(State::Empty);
}

void Workspace::read(bool quietly)
{
    if (!quietly)
        setState(State::Reading);
    const auto receive = [this](const core::Result<SnapshotPtr>& found) {
        if (!found) {
            fail(found.error());
            return;
        }
        m_growth->stamps = stampsOf((*found)->locations);
        if ((*found)->isJudged) {
            publish(*found, State::Ready);
            return;
        }
        publish(*found, State::Judging);
        judge(*found);
    };
    // Growth is shown when it is judged; a first reading is shown at once.
    runJob(
        m_jobs, kReadJob,
        [paths = toPaths(m_paths), quietly, settings = *m_settings](
            core::JobContext& job) -> core::Result<WorkspaceSnapshot> {
            auto snapshot = readPaths(paths, job);
            return snapshot && quietly ? judged(*snapshot, settings, job) : std::move(snapshot);
        },
        receive);
}

void Workspace::judge(const SnapshotPtr& snapshot)
{
    runJob(
        m_jobs, kJudgeJob,
        [snapshot, settings = *m_settings](
            core::JobContext& job) { return judged(*snapshot, settings, job); },
        [this](const core::Result<SnapshotPtr>& found) {
            if (found)
                publish(*found, State::Ready);
            else
                fail(found.error());
        });
}

void Workspace::publish(SnapshotPtr snapshot, State state)
{
    m_snapshot = std::move(snapshot);
    emit snapshotChanged();
    setState(state);
}

void Workspace::fail(const core::Error& error)
{
    if (error.code == core::ErrorCode::Cancelled)
        return;
    const QString hint = qText(error.hint);
    if (m_snapshot) {
        emit failed(sentenceOf(error), hint);
        setState(State::Ready);
        return;
    }
    m_failure = sentenceOf(error);
    m_failureHint = hint;
    setState(State::Failed);
}

void Workspace::setState(State state)
{
    m_state = state;
    emit stateChanged();
}

void Workspace::setFollowing(bool on)
{
    if (on == isFollowing())
        return;
    if (on)
        m_followTimer.start();
    else
        m_followTimer.stop();
    emit followingChanged();
    if (on)
        lookForGrowth();
}

void Workspace::lookForGrowth()
{
    const bool busy = m_jobs.isRunning(kReadJob) || m_jobs.isRunning(kFollowJob);
    if (!m_snapshot || busy)
        return;
    const auto receive = [this](const core::Result<std::shared_ptr<const bool>>& grew) {
        if (grew && **grew)
            read(true);
    };
    runJob(
        m_jobs, kFollowJob,
        [files = m_snapshot->locations, known = m_growth](
            core::JobContext&) -> core::Result<bool> { return stampsOf(files) != known->stamps; },
        receive);
}

void Workspace::setSettings(const core::Settings& settings)
{
    m_settings = std::make_shared<core::Settings>(settings);
    if (m_snapshot)
        judge(m_snapshot);
}

void Workspace::keepAsCase(const QString& folder)
{
    const auto receive
        = [this, folder](const core::Result<std::shared_ptr<const core::AddReport>>& done) {
              if (!done) {
                  fail(done.error());
                  return;
              }
              m_paths = {folder};
              read(true);
          };
    runJob(
        m_jobs, kKeepJob,
        [folder = toPath(folder), paths = toPaths(m_paths), settings = *m_settings](
            core::JobContext& job) { return bridge::keepAsCase(folder, paths, settings, job); },
        receive);
}

void Workspace::annotate(const QString& target, const QString& note)
{
    core::Annotation annotation;
    annotation.target = target.toStdString();
    annotation.note = note.toStdString();
    writeNote(annotation);
}

void Workspace::withdraw(qint64 annotation)
{
    core::Annotation withdrawal;
    withdrawal.withdraws = annotation;
    if (m_snapshot) {
        for (const core::Annotation& known : m_snapshot->annotations) {
            if (known.id == annotation)
                withdrawal.target = known.target;
        }
    }
    writeNote(withdrawal);
}

void Workspace::writeNote(const core::Annotation& note)
{
    const QString folder = caseFolder();
    if (folder.isEmpty()) {
        emit failed(tr("Notes are kept in a case, and none is open."),
            tr("Keep what is open as a case first: File > Keep as a case."));
        return;
    }
    m_store.start([this, folder = toPath(folder), note] {
        auto notes = std::make_shared<core::Result<std::vector<core::Annotation>>>(
            bridge::writeNote(folder, note));
        QMetaObject::invokeMethod(
            this,
            [this, notes] {
                if (!*notes) {
                    const core::Error& error = notes->error();
                    emit failed(sentenceOf(error), qText(error.hint));
                    return;
                }
                if (!m_snapshot)
                    return;
                auto next = std::make_shared<WorkspaceSnapshot>(*m_snapshot);
                next->annotations = std::move(**notes);
                publish(next, m_state);
                emit noteWritten();
            },
            Qt::QueuedConnection);
    });
}

}  // namespace firstbad::bridge
