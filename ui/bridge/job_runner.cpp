// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/bridge/job_runner.h"

#include "core/base/job_context.h"

#include <QMetaObject>

namespace firstbad::bridge {

struct JobRunner::Job {
    quint64 id = 0;
    std::stop_source stop;
    core::ProgressSink progress;
};

JobRunner::JobRunner(QObject* parent)
    : QObject(parent)
{ }

JobRunner::~JobRunner()
{
    for (const auto& job : std::as_const(m_jobs))
        job->stop.request_stop();
    m_pool.waitForDone();  // queued deliveries die with this object
}

quint64 JobRunner::start(const QString& kind, Work work)
{
    cancel(kind);
    auto job = std::make_shared<Job>();
    job->id = ++m_lastId;
    m_jobs.insert(kind, job);
    emit jobStarted(kind, job->id);
    m_pool.start([this, kind, job, work = std::move(work)] {
        core::JobContext context(job->stop.get_token(), &job->progress);
        Delivery delivery = work(context);
        QMetaObject::invokeMethod(
            this,
            [this, kind, id = job->id, delivery = std::move(delivery)] {
                deliver(kind, id, delivery);
            },
            Qt::QueuedConnection);
    });
    return job->id;
}

void JobRunner::cancel(const QString& kind)
{
    const auto job = m_jobs.take(kind);
    if (!job)
        return;
    job->stop.request_stop();
    emit jobEnded(kind, job->id);
}

bool JobRunner::isRunning(const QString& kind) const
{
    return m_jobs.contains(kind);
}

JobProgress JobRunner::progress(const QString& kind) const
{
    const auto job = m_jobs.value(kind);
    if (!job)
        return {};
    return {QString::fromUtf8(job->progress.stage()), job->progress.done(), job->progress.total()};
}

void JobRunner::deliver(const QString& kind, quint64 id, const Delivery& delivery)
{
    const auto newest = m_jobs.value(kind);
    if (!newest || newest->id != id)
        return;  // stale: a newer job of the kind was started, or this one was cancelled
    m_jobs.remove(kind);
    delivery();
    emit jobEnded(kind, id);
}

}  // namespace firstbad::bridge
