// SPDX-License-Identifier: GPL-3.0-or-later
// JobRunner: runs long core functions on a pool and hands their results to the GUI thread.
//
// Belongs to the GUI thread; every member is called there. A newer job of a kind cancels the older
// one, whose result is then dropped. The destructor cancels all jobs and waits for them.
#pragma once

#include <functional>
#include <memory>
#include <QHash>
#include <QObject>
#include <QString>
#include <QThreadPool>

namespace firstbad::core {  // forward declared on purpose: moc 6.4 cannot parse <stop_token>
class JobContext;
}  // namespace firstbad::core

namespace firstbad::bridge {

/// What a progress bar polls; `stage` is empty when no such job is running.
struct JobProgress {
    QString stage;
    quint64 done = 0;
    quint64 total = 0;
};

class JobRunner : public QObject
{
    Q_OBJECT
public:
    /// Runs on the GUI thread with the result of the work, unless the job is stale by then.
    using Delivery = std::function<void()>;
    /// Runs on a pool thread; captures what it needs, returns how to hand over what it found.
    using Work = std::function<Delivery(core::JobContext&)>;

    explicit JobRunner(QObject* parent = nullptr);
    ~JobRunner() override;

    /// Starts work of a kind ("load", "judge") and returns the job's id. Prefer runJob() of
    /// ui/bridge/run_job.h, which keeps the types.
    quint64 start(const QString& kind, Work work);

    /// Cancels the running job of a kind; its result is dropped.
    void cancel(const QString& kind);

    [[nodiscard]] bool isRunning(const QString& kind) const;
    [[nodiscard]] JobProgress progress(const QString& kind) const;

signals:
    void jobStarted(const QString& kind, quint64 id);
    /// The newest job of a kind has ended, delivered or cancelled.
    void jobEnded(const QString& kind, quint64 id);

private:
    struct Job;

    void deliver(const QString& kind, quint64 id, const Delivery& delivery);

    QHash<QString, std::shared_ptr<Job>> m_jobs;  // the newest of each kind
    QThreadPool m_pool;
    quint64 m_lastId = 0;
};

}  // namespace firstbad::bridge
