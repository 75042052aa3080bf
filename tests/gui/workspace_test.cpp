// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/gui/eventually.h"
#include "tests/support/catch.h"
#include "tests/support/temp_folder.h"
#include "ui/bridge/job_runner.h"
#include "ui/bridge/workspace.h"
#include "ui/bridge/workspace_snapshot.h"

#include <fstream>
#include <QStringList>

namespace {

using namespace firstbad;
using test::eventually;
using State = bridge::Workspace::State;

const QString kDemo = QStringLiteral(FIRSTBAD_SOURCE_DIR "/resources/demo/run");

std::string keyValueLines(int from, int to)
{
    std::string text;
    for (int step = from; step <= to; ++step)
        text += "step=" + std::to_string(step) + " loss=" + std::to_string(3.0 - 0.001 * step)
            + "\n";
    return text;
}

QString textOf(const std::filesystem::path& path)
{
    return QString::fromStdString(path.string());
}

std::int64_t lastStep(const bridge::Workspace& workspace)
{
    const auto snapshot = workspace.snapshot();
    if (!snapshot || snapshot->attempts.empty())
        return -1;
    return snapshot->attempts.front().last.value_or(-1);
}

}  // namespace

TEST_CASE("opening a log shows curves first and incidents when they are judged", "[bridge]")
{
    bridge::JobRunner jobs;
    bridge::Workspace workspace(jobs);
    QList<bool> judged;
    QObject::connect(&workspace, &bridge::Workspace::snapshotChanged, [&] {
        if (workspace.snapshot())
            judged.append(workspace.snapshot()->isJudged);
    });
    workspace.open({kDemo});
    CHECK(workspace.state() == State::Reading);
    REQUIRE(eventually([&] { return workspace.state() == State::Ready; }));
    CHECK(judged == QList<bool>{false, true});
    CHECK(workspace.snapshot()->incidents.faults >= 1);
    CHECK(workspace.caseFolder().isEmpty());
}

TEST_CASE("a path that is not there is a sentence, not a crash", "[bridge]")
{
    bridge::JobRunner jobs;
    bridge::Workspace workspace(jobs);
    workspace.open({QStringLiteral("no/such/run")});
    REQUIRE(eventually([&] { return workspace.state() == State::Failed; }));
    CHECK(workspace.failure().contains(QStringLiteral("no/such/run")));
}

TEST_CASE("a log that grows is followed", "[bridge]")
{
    const test::TempFolder folder;
    const auto path = folder.write("train.log", keyValueLines(1, 50));
    bridge::JobRunner jobs;
    bridge::Workspace workspace(jobs);
    workspace.open({textOf(path)});
    REQUIRE(eventually([&] { return workspace.state() == State::Ready; }));
    CHECK(lastStep(workspace) == 50);
    workspace.setFollowing(true);
    std::ofstream(path, std::ios::app) << keyValueLines(51, 80);
    CHECK(eventually([&] { return lastStep(workspace) == 80; }));
}

TEST_CASE("a note is in the case after it is opened again, and is withdrawn by a row", "[bridge]")
{
    const test::TempFolder folder;
    const QString kept = textOf(folder.path() / "case");
    {
        bridge::JobRunner jobs;
        bridge::Workspace workspace(jobs);
        workspace.open({kDemo});
        REQUIRE(eventually([&] { return workspace.state() == State::Ready; }));
        workspace.keepAsCase(kept);
        REQUIRE(eventually([&] { return workspace.caseFolder() == kept; }));
        workspace.annotate(
            QStringLiteral("1:421-430"), QStringLiteral("the learning rate slipped"));
        REQUIRE(eventually([&] { return !workspace.snapshot()->annotations.empty(); }));
    }
    bridge::JobRunner jobs;
    bridge::Workspace workspace(jobs);
    workspace.open({kept});
    REQUIRE(eventually([&] { return workspace.state() == State::Ready; }));
    REQUIRE(workspace.snapshot()->annotations.size() == 1);
    const auto note = workspace.snapshot()->annotations.front();
    CHECK(note.note == "the learning rate slipped");
    CHECK_FALSE(note.who.empty());
    workspace.withdraw(note.id);
    REQUIRE(eventually([&] { return workspace.snapshot()->annotations.size() == 2; }));
    CHECK(workspace.snapshot()->annotations.front().withdrawnBy.has_value());
}

TEST_CASE("a note without a case says where notes are kept", "[bridge]")
{
    bridge::JobRunner jobs;
    bridge::Workspace workspace(jobs);
    QString hint;
    QObject::connect(&workspace, &bridge::Workspace::failed,
        [&hint](const QString&, const QString& told) { hint = told; });
    workspace.annotate(QStringLiteral("1"), QStringLiteral("x"));
    CHECK(hint.contains(QStringLiteral("case")));
}

TEST_CASE("cancelling a long reading leaves nothing open", "[bridge]")
{
    const test::TempFolder folder;
    const auto path = folder.write("train.log", keyValueLines(1, 400'000));
    bridge::JobRunner jobs;
    bridge::Workspace workspace(jobs);
    workspace.open({textOf(path)});
    workspace.cancelReading();
    CHECK(workspace.state() == State::Empty);
    CHECK_FALSE(eventually([&] { return workspace.snapshot() != nullptr; }, 300));
}
