// SPDX-License-Identifier: GPL-3.0-or-later
// Reads logs of our dialects from the corpus and compares with their answer key.
#include "core/base/file.h"
#include "core/base/json_reader.h"
#include "core/import/text/text_importer.h"
#include "tests/support/catch.h"
#include "tests/support/corpus.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <set>
#include <sstream>

namespace {

namespace fs = std::filesystem;
using namespace firstbad::core;
using firstbad::test::corpusFolder;
using firstbad::test::corpusLogs;

SourceData readOne(const fs::path& path)
{
    JobContext job;
    auto read = readText({path, path.filename().string(), ""}, {}, job);
    REQUIRE(read);
    REQUIRE_FALSE(read->empty());
    return std::move(read->front());
}

const RawColumn* findColumn(const SourceData& data, std::string_view name)
{
    const auto found = std::find_if(data.columns.begin(), data.columns.end(),
        [&](const RawColumn& column) { return column.name == name; });
    return found != data.columns.end() ? &*found : nullptr;
}

ColumnSummary summaryOf(const RawColumn& column)
{
    return summarise(column.points.slice(0, column.points.size(), 0, column.points.missingSize()));
}

void compareSeries(const JsonValue& want, const SourceData& data)
{
    const std::string name(want.find("name")->asText());
    CAPTURE(name);
    const RawColumn* const column = findColumn(data, name);
    REQUIRE(column != nullptr);
    const ColumnSummary got = summaryOf(*column);
    const std::string_view quantity = want.find("quantity")->asText();
    if (quantity != "other")
        CHECK(toString(column->quantity) == quantity);
    CHECK(static_cast<std::int64_t>(column->points.size()) == want.find("points")->asInteger());
    CHECK(static_cast<std::int64_t>(got.counts.nan) == want.find("nan")->asInteger());
    CHECK(static_cast<std::int64_t>(got.counts.posInf) == want.find("posinf")->asInteger());
    CHECK(got.firstStep == want.find("first_step")->asInteger());
    CHECK(got.lastStep == want.find("last_step")->asInteger());
    CHECK(got.firstNonfiniteStep == want.find("first_nonfinite_step")->asInteger());
    CHECK(got.sumFinite == Approx(want.find("sum_finite")->asNumber().value()).epsilon(1e-9));
}

std::string contentOf(const fs::path& path)
{
    const std::ifstream file(path, std::ios::binary);
    std::ostringstream text;
    text << file.rdbuf();
    return text.str();
}

std::set<std::int64_t> stepsOf(const SourceData& data, EventKind kind)
{
    std::set<std::int64_t> steps;
    for (const LogEvent& event : data.events) {
        if (event.kind == kind && event.step)
            steps.insert(*event.step);
    }
    return steps;
}

}  // namespace

TEST_CASE("Fixture logs of our dialects give the series of their key", "[dialects][corpus]")
{
    const std::set<std::string, std::less<>> ours{"fairseq-simple", "fairseq-json", "nanogpt",
        "nanogpt-torn", "nanogpt-no-newline", "nanogpt-crlf", "llmc-console", "llmc-main",
        "olmo-core", "metriclogger", "mllog"};
    const fs::path folder = corpusLogs();
    const auto key = parseJson(contentOf(folder / "expected.json"));
    REQUIRE(key);
    std::size_t compared = 0;
    for (const JsonValue& one : key->find("cases")->items) {
        const std::string id(one.find("id")->asText());
        if (ours.count(id) == 0)
            continue;
        CAPTURE(id);
        ++compared;
        const SourceData data = readOne(folder / std::string(one.find("load")->asText()));
        CHECK(data.info.format == one.find("format")->asText());
        for (const JsonValue& series : one.find("series")->items)
            compareSeries(series, data);
        CHECK(data.info.skipped.empty() == one.find("damage")->items.empty());
    }
    std::cout << "corpus: " << compared << " fixture logs compared\n";
    CHECK(compared == ours.size());
}

TEST_CASE("fairseq overflow notes of the fixtures are all events", "[dialects][corpus]")
{
    const auto* const name = GENERATE(as<const char*>{}, "fairseq-simple.log", "fairseq-json.log");
    const SourceData data = readOne(corpusLogs() / "text" / name);
    const auto ofKind = [&](EventKind kind) {
        return std::count_if(data.events.begin(), data.events.end(),
            [&](const LogEvent& event) { return event.kind == kind; });
    };
    CHECK(ofKind(EventKind::Overflow) == 33);  // "overflow_notes" of the key
    CHECK(ofKind(EventKind::Aborted) == 1);
}

TEST_CASE("The GLM-130B chronicle gives its incidents and rollbacks", "[dialects][corpus]")
{
    const fs::path root = corpusFolder();
    const auto path = GENERATE(as<std::string>{},
        "realdata/chronicles/THUDM+GLM-130B/logs/main-log.md", "sources/glm-130b-training-log.txt");
    CAPTURE(path);
    const SourceData data = readOne(root / path);
    CHECK(data.info.format == "chronicle");
    CHECK(data.columns.empty());
    // read off the text by eye
    const auto incidents = stepsOf(data, EventKind::StatedIncident);
    for (const std::int64_t step : {22900, 33700, 35250, 40800})
        CHECK(incidents.count(step) == 1);
    const auto loads = stepsOf(data, EventKind::Load);
    for (const std::int64_t step : {4000, 6000, 7300, 15400, 15600, 16600, 22800, 23200, 23500,
             24500, 25000, 25800, 26000, 23100, 33600, 35200, 39600, 40700, 42400, 42700, 48100}) {
        CAPTURE(step);
        CHECK(loads.count(step) == 1);
    }
    const auto given = std::count_if(data.events.begin(), data.events.end(),
        [](const LogEvent& event) { return event.kind == EventKind::GivenUp; });
    CHECK(given >= 5);
}

TEST_CASE("Dumps of machines give no series", "[dialects][corpus]")
{
    const fs::path folder = corpusFolder() / "realdata/chronicles/huggingface+m4-logs"
        / "tr_141-hanging/tr_141_cm409xPMD01_scale_leap_of_faith_v5_num_workers_0-try3";
    const auto* const name = GENERATE(as<const char*>{}, "gpu.query.0.txt", "dmesg.txt");
    CAPTURE(name);
    CHECK(readOne(folder / name).columns.empty());
}

TEST_CASE("Programs printed into a log do not hide its records", "[dialects][corpus]")
{
    const SourceData data = readOne(corpusFolder()
        / "realdata/nanogpt/KellerJordan+modded-nanogpt/records/track_1_short/2024-10-10_Muon"
          "/eb5659d0-fb6a-49e5-a311-f1f89412f726.txt");
    REQUIRE(findColumn(data, "train_loss") != nullptr);
    CHECK(findColumn(data, "train_loss")->points.size() == 6200);  // grep -c train_loss:
    CHECK(findColumn(data, "val_loss")->points.size() == 51);  // grep -c "^step.*val_loss:"
    CHECK(data.columns.size() == 4);
}
