// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/contract/cli/json_check.h"
#include "tests/contract/cli/program_run.h"
#include "tests/support/catch.h"
#include "tests/support/temp_folder.h"

#include <filesystem>
#include <fstream>
#include <sqlite3.h>
#include <string>

using namespace firstbad;
using test::documentOf;
using test::runFirstbad;

namespace {

std::string lossLine(int step, const std::string& loss)
{
    return "{\"step\": " + std::to_string(step) + ", \"loss\": " + loss + "}\n";
}

/// A run that goes well for 60 steps and gives NaN from step 61 on.
std::string failingLog()
{
    std::string text;
    for (int step = 1; step <= 60; ++step)
        text += lossLine(step, std::to_string(3.0 - 0.01 * step));
    for (int step = 61; step <= 64; ++step)
        text += lossLine(step, "NaN");
    return text;
}

void append(const std::filesystem::path& path, const std::string& text)
{
    std::ofstream(path, std::ios::binary | std::ios::app) << text;
}

/// Changes the database behind the program's back, as someone with the sqlite3 shell could.
void executeSql(const std::filesystem::path& database, const char* sql)
{
    sqlite3* handle = nullptr;
    REQUIRE(sqlite3_open(database.c_str(), &handle) == SQLITE_OK);
    char* message = nullptr;
    const int done = sqlite3_exec(handle, sql, nullptr, nullptr, &message);
    INFO((message != nullptr ? message : ""));
    CHECK(done == SQLITE_OK);
    sqlite3_free(message);
    sqlite3_close(handle);
}

struct CaseFixture {
    test::TempFolder folder;
    std::string log = (folder.path() / "train.jsonl").string();
    std::string place = (folder.path() / "case").string();

    CaseFixture()
    {
        append(log, failingLog());
        REQUIRE(runFirstbad({"init", place}).status == 0);
        REQUIRE(runFirstbad({"-C", place, "add", log}).status == 3);
    }
};

}  // namespace

TEST_CASE("a case answers look, incidents, series and audit like the logs it was made from",
    "[contract][cli]")
{
    const CaseFixture fixture;
    for (const std::string command : {"incidents", "series", "audit", "look"}) {
        CAPTURE(command);
        const auto fromLog = runFirstbad({command, fixture.log, "--json"});
        const auto fromCase = runFirstbad({command, fixture.place, "--json"});
        CHECK(fromCase.status == fromLog.status);
        const auto log = documentOf(fromLog.out, command);
        const auto stored = documentOf(fromCase.out, command);
        if (command == "incidents") {
            REQUIRE(log["result"]["incidents"].Size() == 1);
            CHECK(stored["result"]["incidents"] == log["result"]["incidents"]);
            CHECK(log["result"]["incidents"][0]["onset_step"].GetInt() == 61);
        }
        if (command == "look")
            CHECK(stored["result"]["runs"] == log["result"]["runs"]);
    }
}

TEST_CASE("a case beside other paths is refused with what to do", "[contract][cli]")
{
    const CaseFixture fixture;
    const auto run = runFirstbad({"look", fixture.place, fixture.log});
    CHECK(run.status == 1);
    CHECK(run.err.find("is a case") != std::string::npos);
    CHECK(run.err.find("add") != std::string::npos);
}

TEST_CASE("adding again stores nothing, and a log that grew is followed", "[contract][cli]")
{
    const CaseFixture fixture;
    const auto again = runFirstbad({"-C", fixture.place, "add", fixture.log, "--json"});
    const auto unchanged = documentOf(again.out, "add");
    CHECK_FALSE(unchanged["result"]["anything_new"].GetBool());
    append(fixture.log, lossLine(65, "NaN"));
    const auto grew = runFirstbad({"-C", fixture.place, "add", fixture.log, "--json"});
    const auto document = documentOf(grew.out, "add");
    CHECK(document["result"]["new_points"].GetInt() == 1);
    CHECK(std::string(document["result"]["changes"][0]["change"].GetString()) == "grew");
}

TEST_CASE("a mapping given once is remembered by the case", "[contract][cli]")
{
    const test::TempFolder folder;
    const std::string log = (folder.path() / "odd.csv").string();
    append(log, "step,nats\n1,2.5\n2,2.4\n3,NaN\n");
    const std::string place = (folder.path() / "case").string();
    REQUIRE(runFirstbad({"init", place}).status == 0);
    REQUIRE(runFirstbad({"-C", place, "add", log, "--map", "nats=loss"}).status != 1);
    append(log, "4,NaN\n");
    REQUIRE(runFirstbad({"-C", place, "add", log}).status != 1);
    const auto listed = runFirstbad({"series", "nats", place, "--json"});
    const auto document = documentOf(listed.out, "series");
    CHECK(std::string(document["result"]["series"][0]["quantity"].GetString()) == "loss");
    CHECK(document["result"]["series"][0]["points"].GetInt() == 4);
}

TEST_CASE("a mapping gives a quantity to text logs too", "[contract][cli]")
{
    const test::TempFolder folder;
    const std::string log = (folder.path() / "odd.log").string();
    for (int step = 1; step <= 20; ++step)
        append(log, "step=" + std::to_string(step) + " nats_per_tok=2.5\n");
    const auto run = runFirstbad({"series", log, "--json", "--map", "nats_per_tok=loss"});
    const auto document = documentOf(run.out, "series");
    REQUIRE(document["result"]["series"].Size() >= 1);
    CHECK(std::string(document["result"]["series"][0]["quantity"].GetString()) == "loss");
}

TEST_CASE("doctor calls a case sound, and names the row that someone changed", "[contract][cli]")
{
    const CaseFixture fixture;
    const auto sound = runFirstbad({"-C", fixture.place, "doctor", "--json"});
    CHECK(sound.status == 0);
    CHECK(documentOf(sound.out, "doctor")["result"]["case"]["sound"].GetBool());

    executeSql(std::filesystem::path(fixture.place) / "case.db",
        "DROP TRIGGER incidents_no_UPDATE; UPDATE incidents SET onset_step = 60 WHERE seq = 1");
    const auto changed = runFirstbad({"-C", fixture.place, "doctor", "--json"});
    CHECK(changed.status == 4);
    const auto document = documentOf(changed.out, "doctor");
    CHECK_FALSE(document["result"]["case"]["sound"].GetBool());
    REQUIRE(document["result"]["case"]["broken_chains"].Size() == 1);
    const auto& chain = document["result"]["case"]["broken_chains"][0];
    CHECK(std::string(chain["table"].GetString()) == "incidents");
    CHECK(chain["row"].GetInt() == 1);
}

TEST_CASE("without a case doctor says so and is content", "[contract][cli]")
{
    const test::TempFolder folder;
    test::RunOptions options;
    options.folder = folder.path().string();
    const auto run = runFirstbad({"doctor", "--json"}, options);
    CHECK(run.status == 0);
    CHECK(documentOf(run.out, "doctor")["result"]["case"].IsNull());
    CHECK(runFirstbad({"-C", "/no/such/case", "doctor"}).status == 1);
}

TEST_CASE("a note stays, and is taken back by a new row", "[contract][cli]")
{
    const CaseFixture fixture;
    REQUIRE(runFirstbad({"-C", fixture.place, "annotate", "1", "--note", "数据 <b>"}).status == 0);
    CHECK(runFirstbad({"-C", fixture.place, "annotate", "99", "--note", "x"}).status == 1);
    CHECK(runFirstbad({"-C", fixture.place, "annotate", "1"}).status == 1);
    const auto listed = runFirstbad({"-C", fixture.place, "annotate", "--json"});
    const auto document = documentOf(listed.out, "annotate");
    REQUIRE(document["result"]["annotations"].Size() == 1);
    CHECK(std::string(document["result"]["annotations"][0]["note"].GetString()) == "数据 <b>");
    REQUIRE(runFirstbad({"-C", fixture.place, "annotate", "--withdraw", "1"}).status == 0);
    const auto after = runFirstbad({"-C", fixture.place, "annotate", "--json"});
    const auto rows = documentOf(after.out, "annotate");
    REQUIRE(rows["result"]["annotations"].Size() == 2);
    CHECK(rows["result"]["annotations"][0]["withdrawn_by"].GetInt() == 2);
    CHECK(runFirstbad({"-C", fixture.place, "annotate"}).out.find("<b>") == std::string::npos);
}

TEST_CASE("sources of a case carry hash, format and what was skipped", "[contract][cli]")
{
    const CaseFixture fixture;
    append(fixture.log, "this line is broken {\n" + lossLine(66, "2.0"));
    REQUIRE(runFirstbad({"-C", fixture.place, "add", fixture.log}).status == 3);
    const auto run = runFirstbad({"-C", fixture.place, "sources", "--json"});
    const auto document = documentOf(run.out, "sources");
    REQUIRE(document["result"]["sources"].Size() == 1);
    const auto& source = document["result"]["sources"][0];
    CHECK(std::string(source["sha256"].GetString()).size() == 64);
    CHECK(std::string(source["format"].GetString()) == "jsonl");
    REQUIRE(source["skipped"].Size() == 1);
    CHECK(source["skipped"][0]["line"].GetInt() == 65);
}
