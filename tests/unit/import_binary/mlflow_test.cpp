// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/file.h"
#include "core/import/binary/mlflow_importer.h"
#include "tests/support/catch.h"
#include "tests/unit/import_binary/event_bytes.h"

#include <sqlite3.h>

using namespace firstbad::core;
using namespace firstbad::test;

namespace {

void execute(const std::filesystem::path& path, const std::string& sql)
{
    sqlite3* handle = nullptr;
    REQUIRE(sqlite3_open(path.c_str(), &handle) == SQLITE_OK);
    CHECK(sqlite3_exec(handle, sql.c_str(), nullptr, nullptr, nullptr) == SQLITE_OK);
    sqlite3_close(handle);
}

const char* const kTables
    = "CREATE TABLE runs (run_uuid, name, status, end_time);"
      "CREATE TABLE metrics (key, value FLOAT, timestamp, run_uuid, step, is_nan);";

std::vector<SourceData> readSqlite(const std::filesystem::path& path)
{
    JobContext job;
    auto read = readMlflowSqlite({path, "mlflow.db", ""}, {}, job);
    REQUIRE(read);
    return std::move(*read);
}

std::vector<SourceData> readFiles(const std::filesystem::path& path)
{
    JobContext job;
    auto read = readMlflowFiles({path, "mlruns", ""}, {}, job);
    REQUIRE(read);
    return std::move(*read);
}

}  // namespace

TEST_CASE("MLflow's database gives NaN by its flag and infinity as the largest double",
    "[import][mlflow]")
{
    const TemporaryFolder folder;
    const auto path = folder.path() / "a%b ?.db";
    execute(path,
        std::string(kTables)
            + "INSERT INTO runs VALUES ('r1', 'first', 'FINISHED', 5000);"
              "INSERT INTO metrics VALUES ('loss', 3.0, 3000, 'r1', 3, 0),"
              "('loss', 0, 2000, 'r1', 2, 1), ('loss', 1.7976931348623157e308, 1000, 'r1', 1, 0),"
              "('loss', -1.7976931348623157e308, 1000, 'r2', 1, 0);");
    const auto sources = readSqlite(path);
    REQUIRE(sources.size() == 2);
    CHECK(sources[0].runId == "r1");
    const ColumnBuilder& loss = sources[0].columns.at(0).points;
    REQUIRE(loss.size() == 3);
    CHECK(loss.stepAt(0) == 1);
    CHECK(classify(loss.valueAt(0)) == ValueKind::PlusInfinity);
    CHECK(classify(loss.valueAt(1)) == ValueKind::NotANumber);
    CHECK(loss.valueAt(2) == 3.0);
    CHECK(loss.timeAt(2) == 3.0);
    CHECK(classify(sources[1].columns.at(0).points.valueAt(0)) == ValueKind::MinusInfinity);
    CHECK(std::filesystem::exists(path));
    CHECK(std::distance(std::filesystem::directory_iterator(folder.path()), {}) == 1);
}

TEST_CASE("A resumed MLflow run shows that its steps go back", "[import][mlflow]")
{
    const TemporaryFolder folder;
    const auto path = folder.path() / "mlflow.db";
    execute(path,
        std::string(kTables)
            + "INSERT INTO metrics VALUES ('loss', 1, 1000, 'r', 1, 0), ('loss', 1, 2000, 'r', 2, "
              "0),"
              "('loss', 1, 9000, 'r', 1, 0);");
    const auto sources = readSqlite(path);
    REQUIRE(sources.at(0).breaks.size() == 1);
    CHECK(sources[0].breaks[0].points == std::vector<std::size_t>{2});
}

TEST_CASE("A damaged or foreign database gets a sentence", "[import][mlflow]")
{
    const TemporaryFolder folder;
    const auto other = folder.path() / "other.db";
    execute(other, "CREATE TABLE t (x); CREATE VIEW metrics AS SELECT 1; ");
    CHECK(readSqlite(other).at(0).info.state == SourceState::Unsupported);
    const auto broken
        = folder.write("mlflow.db", std::string("SQLite format 3\0", 16) + std::string(4000, '\7'));
    const auto sources = readSqlite(broken);
    CHECK(sources.at(0).info.state == SourceState::Damaged);
    CHECK(sources.at(0).info.message.find("mlflow.db") != std::string::npos);
    CHECK(!sources.at(0).info.hint.empty());
}

TEST_CASE("Changes beside the database that are not in it yet are named", "[import][mlflow]")
{
    const TemporaryFolder folder;
    const auto path = folder.path() / "mlflow.db";
    execute(path, std::string(kTables) + "INSERT INTO runs VALUES ('r', '', '', NULL);");
    folder.write("mlflow.db-wal", "some pages");
    const auto sources = readSqlite(path);
    REQUIRE(sources.at(0).info.skipped.size() == 1);
    CHECK(sources[0].info.skipped[0].code == "pending-log");
    CHECK(sources[0].info.skipped[0].mayBeGrowing);
}

TEST_CASE(
    "MLflow's folders give every metric, words for NaN and names with slashes", "[import][mlflow]")
{
    const TemporaryFolder folder;
    const std::string run = "exp/run1/";
    folder.write("exp/meta.yaml", "experiment_id: '7'\nname: x\n");
    folder.write(run + "meta.yaml", "run_id: run1\nrun_name: 'best one'\nstatus: 4\nend_time: 9\n");
    folder.write(run + "metrics/amp/scale", "1000 65536.0 1\n2000 inf 2\n");
    folder.write(run + "metrics/loss", "1000 nan 1\n2000 -inf 2\nrubbish here\n3000 1.2");
    CHECK(sniffMlflowFiles({folder.path(), true, 0, {}, {}}) > 90);
    CHECK(sniffMlflowFiles({folder.path() / run, true, 0, {}, {}}) > 90);
    const auto sources = readFiles(folder.path());
    REQUIRE(sources.size() == 1);
    const SourceData& data = sources[0];
    CHECK(data.runId == "run1");
    REQUIRE(data.columns.size() == 2);
    CHECK(data.columns[0].name == "loss");
    CHECK(data.columns[1].name == "amp/scale");
    CHECK(classify(data.columns[0].points.valueAt(0)) == ValueKind::NotANumber);
    CHECK(classify(data.columns[0].points.valueAt(1)) == ValueKind::MinusInfinity);
    CHECK(data.columns[0].points.size() == 2);
    REQUIRE(data.info.skipped.size() == 2);
    CHECK(data.info.skipped[0].code == "garbage");
    CHECK(data.info.skipped[0].line == 3);
    CHECK(data.info.skipped[1].code == "torn-tail");
    CHECK(data.events.at(0).path == "best one");
    CHECK(data.events.at(1).kind == EventKind::Exception);
}

TEST_CASE("A folder that is no MLflow store is not claimed", "[import][mlflow]")
{
    const TemporaryFolder folder;
    folder.write("a/meta.yaml", "something: else\n");
    CHECK(sniffMlflowFiles({folder.path(), true, 0, {}, {}}) == 0);
}
