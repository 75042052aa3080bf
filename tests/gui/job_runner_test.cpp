// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/catch.h"
#include "ui/bridge/run_job.h"

#include <future>
#include <QCoreApplication>
#include <QDeadlineTimer>
#include <QThread>
#include <thread>

namespace {

using namespace firstbad;

const QString kKind = QStringLiteral("load");

/// Spins the event loop until the condition holds; false after ten seconds.
template <class Condition> bool eventually(Condition condition)
{
    const QDeadlineTimer deadline(10'000);
    while (!condition() && !deadline.hasExpired())
        QCoreApplication::processEvents(QEventLoop::AllEvents, 10);
    return condition();
}

core::Result<int> untilCancelled(core::JobContext& job)
{
    while (!job.cancelled())
        std::this_thread::yield();
    return core::JobContext::cancelledError();
}

}  // namespace

TEST_CASE("a job runs off the GUI thread and its snapshot arrives on it", "[bridge]")
{
    bridge::JobRunner runner;
    QThread* const gui = QThread::currentThread();
    QThread* worker = nullptr;
    QThread* receiver = nullptr;
    int value = 0;
    bridge::runJob(
        runner, kKind,
        [&worker](core::JobContext&) -> core::Result<int> {
            worker = QThread::currentThread();
            return 42;
        },
        [&](const core::Result<std::shared_ptr<const int>>& found) {
            receiver = QThread::currentThread();
            value = found ? **found : -1;
        });
    CHECK(runner.isRunning(kKind));
    REQUIRE(eventually([&] { return receiver != nullptr; }));
    CHECK(value == 42);
    CHECK(receiver == gui);
    CHECK(worker != gui);
    CHECK_FALSE(runner.isRunning(kKind));
}

TEST_CASE("a failed job delivers its error", "[bridge]")
{
    bridge::JobRunner runner;
    QString message;
    bridge::runJob(
        runner, kKind,
        [](core::JobContext&) -> core::Result<int> {
            return core::fail(core::ErrorCode::NotFound, "No such run.");
        },
        [&message](const core::Result<std::shared_ptr<const int>>& found) {
            message = QString::fromStdString(found ? "" : found.error().message);
        });
    REQUIRE(eventually([&] { return !message.isEmpty(); }));
    CHECK(message == QStringLiteral("No such run."));
}

TEST_CASE("a newer job of a kind cancels the older, whose result is dropped", "[bridge]")
{
    bridge::JobRunner runner;
    QList<int> received;
    const auto receive = [&received](const core::Result<std::shared_ptr<const int>>& found) {
        received.append(found ? **found : -1);
    };
    bridge::runJob(runner, kKind, untilCancelled, receive);
    bridge::runJob(
        runner, kKind, [](core::JobContext&) -> core::Result<int> { return 2; }, receive);
    REQUIRE(eventually([&] { return !received.isEmpty(); }));
    CHECK(received == QList<int>{2});
}

TEST_CASE("jobs of different kinds do not disturb each other", "[bridge]")
{
    bridge::JobRunner runner;
    int first = 0;
    int second = 0;
    bridge::runJob(
        runner, kKind, [](core::JobContext&) -> core::Result<int> { return 1; },
        [&first](const auto& found) { first = found ? **found : -1; });
    bridge::runJob(
        runner, QStringLiteral("judge"), [](core::JobContext&) -> core::Result<int> { return 2; },
        [&second](const auto& found) { second = found ? **found : -1; });
    REQUIRE(eventually([&] { return first != 0 && second != 0; }));
    CHECK(first == 1);
    CHECK(second == 2);
}

TEST_CASE("progress can be read while a job runs", "[bridge]")
{
    bridge::JobRunner runner;
    std::promise<void> told;
    runner.start(kKind, [&told](core::JobContext& job) -> bridge::JobRunner::Delivery {
        job.setStage("reading", 10);
        job.advance(3);
        told.set_value();
        (void)untilCancelled(job);
        return [] {};
    });
    told.get_future().wait();
    const auto progress = runner.progress(kKind);
    CHECK(progress.stage == QStringLiteral("reading"));
    CHECK(progress.done == 3);
    CHECK(progress.total == 10);
    runner.cancel(kKind);
    CHECK_FALSE(runner.isRunning(kKind));
}

TEST_CASE("closing the runner cancels what is running and waits for it", "[bridge]")
{
    bool ended = false;
    {
        bridge::JobRunner runner;
        runner.start(kKind, [&ended](core::JobContext& job) -> bridge::JobRunner::Delivery {
            (void)untilCancelled(job);
            ended = true;
            return [] {};
        });
    }
    CHECK(ended);
}
