// SPDX-License-Identifier: GPL-3.0-or-later
// Workspace: the case or the paths that are open: reads, judges, follows and annotates them in
// jobs, and hands out one immutable snapshot after the other.
//
// GUI thread only. Curves come first (read), incidents when the rules have finished (judged). Notes
// are written by one serial thread; what noteWritten() told survives kill -9.
#pragma once

#include <memory>
#include <QObject>
#include <QStringList>
#include <QThreadPool>
#include <QTimer>

namespace firstbad::core {  // forward declared on purpose: moc 6.4 cannot parse <compare>
class Settings;
struct Annotation;
struct Error;
}  // namespace firstbad::core

namespace firstbad::bridge {

class JobRunner;
struct WorkspaceSnapshot;

class Workspace : public QObject
{
    Q_OBJECT
public:
    enum class State { Empty, Reading, Judging, Ready, Failed };

    explicit Workspace(JobRunner& jobs, QObject* parent = nullptr);
    ~Workspace() override;

    [[nodiscard]] State state() const noexcept { return m_state; }
    [[nodiscard]] std::shared_ptr<const WorkspaceSnapshot> snapshot() const { return m_snapshot; }
    [[nodiscard]] QStringList paths() const { return m_paths; }
    [[nodiscard]] QString caseFolder() const;  ///< empty when paths are open
    [[nodiscard]] QString title() const;
    [[nodiscard]] QString failure() const { return m_failure; }
    [[nodiscard]] QString failureHint() const { return m_failureHint; }
    [[nodiscard]] bool isFollowing() const { return m_followTimer.isActive(); }
    [[nodiscard]] JobRunner& jobs() noexcept { return m_jobs; }

    void open(const QStringList& paths);
    /// Reads more beside what is open. A case takes them in; paths are read together.
    void add(const QStringList& paths);
    void reload();
    void cancelReading();
    void close();
    void setFollowing(bool on);
    void setSettings(const core::Settings& settings);
    void keepAsCase(const QString& folder);
    void annotate(const QString& target, const QString& note);
    void withdraw(qint64 annotation);

signals:
    void stateChanged();
    void snapshotChanged();
    void noteWritten();
    /// Something beside reading failed: one sentence and what to do about it.
    void failed(const QString& sentence, const QString& hint);
    void followingChanged();

private:
    void read(bool quietly);
    void judge(const std::shared_ptr<const WorkspaceSnapshot>& snapshot);
    void publish(std::shared_ptr<const WorkspaceSnapshot> snapshot, State state);
    void fail(const core::Error& error);
    void setState(State state);
    void lookForGrowth();
    void writeNote(const core::Annotation& note);

    JobRunner& m_jobs;
    State m_state = State::Empty;
    QStringList m_paths;
    QString m_failure;
    QString m_failureHint;
    std::shared_ptr<const WorkspaceSnapshot> m_snapshot;
    std::shared_ptr<core::Settings> m_settings;
    QTimer m_followTimer;
    QThreadPool m_store;  // one thread: writes happen in the order asked for
    struct Growth;
    std::shared_ptr<Growth> m_growth;  // stamps of the files when they were last read
};

}  // namespace firstbad::bridge
