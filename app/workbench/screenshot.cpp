// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/workbench/screenshot.h"

#include "ui/shell/columns.h"
#include "ui/widgets/pane.h"

#include <cstdio>
#include <QApplication>
#include <QDeadlineTimer>
#include <QElapsedTimer>
#include <QPixmap>

namespace firstbad::workbench {

namespace {

constexpr qint64 kMostMs = 120'000;
constexpr qint64 kQuietMs = 250;  ///< nothing was running for this long: all is drawn

/// Frames follow each other (timeline, axis, frame, overview): wait until no job was seen for a
/// while.
bool settle(ui::Session& session)
{
    using State = bridge::Workspace::State;
    const QDeadlineTimer deadline(kMostMs);
    QElapsedTimer quiet;
    quiet.start();
    QObject guard;
    QObject::connect(
        &session.jobs, &bridge::JobRunner::jobStarted, &guard, [&quiet] { quiet.restart(); });
    QObject::connect(
        &session.jobs, &bridge::JobRunner::jobEnded, &guard, [&quiet] { quiet.restart(); });
    while (!deadline.hasExpired()) {
        QApplication::processEvents(QEventLoop::AllEvents, 20);
        const State state = session.workspace.state();
        const bool busy = state == State::Reading || state == State::Judging;
        if (!busy && quiet.elapsed() > kQuietMs)
            return true;
    }
    return false;
}

int failWith(const QString& sentence)
{
    std::fputs(sentence.toLocal8Bit().constData(), stderr);
    std::fputc('\n', stderr);
    return 1;
}

}  // namespace

int takeScreenshot(ui::Session& session, ui::MainWindow& window, const Options& options)
{
    window.resize(options.size);
    window.show();
    if (!settle(session))
        return failWith(QStringLiteral("The window was not ready within two minutes."));
    if (session.workspace.state() == bridge::Workspace::State::Failed)
        return failWith(session.workspace.failure());
    QWidget* target = &window;
    const bool whole = options.view.isEmpty() || options.view == QStringLiteral("window")
        || options.view == QStringLiteral("start");
    if (!whole) {
        window.columns().setShown(options.view, true);
        target = window.columns().pane(options.view);
        if (target == nullptr)
            return failWith(QStringLiteral("There is no view named %1.").arg(options.view));
        if (!settle(session))
            return failWith(QStringLiteral("The view was not ready within two minutes."));
    }
    if (!target->grab().save(options.screenshot, "PNG"))
        return failWith(QStringLiteral("%1 could not be written.").arg(options.screenshot));
    return 0;
}

}  // namespace firstbad::workbench
