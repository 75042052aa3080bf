// SPDX-License-Identifier: GPL-3.0-or-later
// Reads the fixture files of our formats and compares with their answer key.
#include "core/base/file.h"
#include "core/base/json_reader.h"
#include "tests/support/catch.h"
#include "tests/support/corpus.h"
#include "tests/unit/import_binary/binary_formats.h"

#include <algorithm>
#include <filesystem>
#include <fmt/format.h>
#include <iostream>

namespace {

namespace fs = std::filesystem;
using namespace firstbad::core;
using firstbad::test::corpusLogs;

struct NamedColumn {
    std::string name;
    std::string runId;
    Quantity quantity{};
    Column points;
};

/// Every column of every source below `load`, in the order of the files' names.
struct Loaded {
    std::vector<NamedColumn> columns;
    std::vector<SkippedPart> skipped;
    std::size_t sources = 0;
};

bool isOurs(std::string_view format)
{
    return format == "tfevents" || format == "wandb-offline" || format == "mlflow-files"
        || format == "mlflow-sqlite" || format == "hdf5";
}

void readOne(const fs::path& path, const std::string& below, Loaded& loaded)
{
    const Importer* importer = sniffPath(path);
    if (importer == nullptr || !isOurs(importer->id))
        return;
    JobContext job;
    auto read = importer->read({path, path.string(), below}, {}, job);
    REQUIRE(read);
    for (SourceData& data : *read) {
        ++loaded.sources;
        loaded.skipped.insert(
            loaded.skipped.end(), data.info.skipped.begin(), data.info.skipped.end());
        for (RawColumn& column : data.columns) {
            const auto same = std::find_if(
                loaded.columns.begin(), loaded.columns.end(), [&](const NamedColumn& known) {
                    return known.name == column.name && known.runId == data.runId;
                });
            Column points = column.points.takeAll();
            if (same == loaded.columns.end()) {
                loaded.columns.push_back(
                    {column.name, data.runId, column.quantity, std::move(points)});
                continue;
            }
            same->points.steps.insert(
                same->points.steps.end(), points.steps.begin(), points.steps.end());
            same->points.values.insert(
                same->points.values.end(), points.values.begin(), points.values.end());
        }
    }
}

Loaded load(const fs::path& path)
{
    Loaded loaded;
    if (!fs::is_directory(path) || sniffPath(path) != nullptr) {
        readOne(path, "", loaded);
        return loaded;
    }
    std::vector<fs::path> files;
    for (const auto& entry : fs::recursive_directory_iterator(path)) {
        if (entry.is_regular_file())
            files.push_back(entry.path());
    }
    std::sort(files.begin(), files.end());
    for (const fs::path& file : files)
        readOne(file, file.parent_path().lexically_relative(path).string(), loaded);
    return loaded;
}

std::optional<std::int64_t> stepOf(const JsonValue& series, std::string_view name)
{
    const JsonValue* value = series.find(name);
    return value != nullptr ? value->asInteger() : std::nullopt;
}

/// `run`: the case is about one run of a store, of this id.
void compareSeries(const JsonValue& want, std::string_view run, const Loaded& loaded)
{
    const std::string name(want.find("name")->asText());
    INFO("series " << name);
    const auto found = std::find_if(
        loaded.columns.begin(), loaded.columns.end(), [&](const NamedColumn& column) {
            return column.name == name && (run.empty() || column.runId == run);
        });
    REQUIRE(found != loaded.columns.end());
    const ColumnSummary summary = summarise(found->points);
    CHECK(std::int64_t(found->points.size()) == stepOf(want, "points"));
    CHECK(std::int64_t(summary.counts.nan) == stepOf(want, "nan"));
    CHECK(std::int64_t(summary.counts.posInf) == stepOf(want, "posinf"));
    CHECK(std::int64_t(summary.counts.negInf) == stepOf(want, "neginf"));
    CHECK(summary.firstNonfiniteStep == stepOf(want, "first_nonfinite_step"));
    CHECK(summary.firstStep == stepOf(want, "first_step"));
    CHECK(summary.lastStep == stepOf(want, "last_step"));
    const double sum = want.find("sum_finite")->asNumber().value();
    CHECK(summary.sumFinite == Approx(sum).epsilon(1e-9).margin(1e-9));
    const auto quantity = want.find("quantity")->asText();
    if (quantity != "other")
        CHECK(toString(found->quantity) == quantity);
}

void compareDamage(const JsonValue& damage, const Loaded& loaded)
{
    const auto kind = damage.find("kind")->asText();
    INFO("damage " << kind);
    const auto found = std::find_if(loaded.skipped.begin(), loaded.skipped.end(),
        [&](const SkippedPart& part) { return part.code == kind; });
    REQUIRE(found != loaded.skipped.end());
    CHECK(!found->reason.empty());
    if (const auto offset = stepOf(damage, "offset")) {
        CHECK(std::int64_t(found->offset) == *offset);
        CHECK(std::int64_t(found->length) == stepOf(damage, "length"));
    }
}

}  // namespace

TEST_CASE("Every binary fixture gives the series and damage of its answer key", "[import][corpus]")
{
    const fs::path folder = corpusLogs();
    const auto text = readWholeFile(folder / "expected.json", 64U << 20U);
    REQUIRE(text);
    const auto key = parseJson(*text);
    REQUIRE(key);
    std::size_t cases = 0;
    for (const JsonValue& one : key->find("cases")->items) {
        if (!isOurs(one.find("format")->asText()))
            continue;
        ++cases;
        INFO("case " << one.find("id")->asText());
        const Loaded loaded = load(folder / one.find("load")->asText());
        CHECK(loaded.sources > 0);
        std::string_view run;
        for (const JsonValue& series : one.find("series")->items) {
            if (const JsonValue* id = series.find("run_id"))
                run = id->asText();
            compareSeries(series, run, loaded);
        }
        for (const JsonValue& damage : one.find("damage")->items)
            compareDamage(damage, loaded);
        if (one.find("damage")->items.empty())
            CHECK(loaded.skipped.empty());
    }
    std::cout << fmt::format("corpus: {} cases of binary formats compared\n", cases);
    CHECK(cases > 30);
}
