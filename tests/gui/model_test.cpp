// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/catch.h"
#include "tests/support/incident_example.h"
#include "ui/bridge/attempt_model.h"
#include "ui/bridge/incident_model.h"
#include "ui/bridge/source_model.h"
#include "ui/bridge/workspace_snapshot.h"

#include <QAbstractItemModelTester>

namespace {

using namespace firstbad;

bridge::SnapshotPtr exampleSnapshot()
{
    auto snapshot = std::make_shared<bridge::WorkspaceSnapshot>();
    snapshot->assessment = test::incidentExample();
    core::JobContext job;
    snapshot->incidents = *core::makeIncidentList(snapshot->assessment, job);
    snapshot->attempts = core::makeAttemptList(*snapshot->assessment.dataset);
    snapshot->isJudged = true;
    return snapshot;
}

constexpr auto kMode = QAbstractItemModelTester::FailureReportingMode::Fatal;

}  // namespace

TEST_CASE(
    "the list of incidents keeps the model's contract while snapshots come and go", "[bridge]")
{
    bridge::IncidentModel model;
    const QAbstractItemModelTester tester(&model, kMode);
    model.setSnapshot(exampleSnapshot());
    CHECK(model.rowCount() == 4);  // three serious ones and the summary of the benign
    CHECK(model.data(model.index(3), bridge::IncidentModel::IsSummaryRole).toBool());
    CHECK(model.data(model.index(3), Qt::DisplayRole)
              .toString()
              .contains(QStringLiteral("scale-probe ×2")));
    model.setBenignShown(true);
    CHECK(model.rowCount() == 7);
    CHECK(model.incidentAt(4)->verdict == core::IncidentClass::Benign);
    CHECK(model.rowOf(QStringLiteral("1")) == 0);
    CHECK(model.rowOf(QStringLiteral("none")) == -1);
    model.setSnapshot(nullptr);
    CHECK(model.rowCount() == 0);
}

TEST_CASE("the tree of attempts keeps the model's contract", "[bridge]")
{
    bridge::AttemptModel model;
    const QAbstractItemModelTester tester(&model, kMode);
    model.setSnapshot(exampleSnapshot());
    REQUIRE(model.rowCount() == 1);
    const QModelIndex parent = model.index(0, 0);
    REQUIRE(model.rowCount(parent) == 1);
    CHECK(model.index(0, 0, parent).data().toString() == QStringLiteral("a7"));
    CHECK(model.indexOf(0, 1) == model.index(0, 0, parent));
    CHECK_FALSE(model.indexOf(0, 9).isValid());
    model.setSnapshot(nullptr);
    CHECK(model.rowCount() == 0);
}

TEST_CASE("sources list what was skipped below them", "[bridge]")
{
    bridge::SourceModel model;
    const QAbstractItemModelTester tester(&model, kMode);
    model.setSnapshot(exampleSnapshot());
    REQUIRE(model.rowCount() == 1);
    const QModelIndex source = model.index(0, 0);
    CHECK(source.data().toString() == QStringLiteral("train.log"));
    REQUIRE(model.rowCount(source) == 2);
    const QModelIndex part = model.index(0, 0, source);
    CHECK(part.data(bridge::SourceModel::LineRole).toLongLong() == 41'900);
    CHECK(part.data(bridge::SourceModel::SourceRole).toInt() == 0);
}
