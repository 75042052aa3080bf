// SPDX-License-Identifier: GPL-3.0-or-later
// Holds tables and JSON logs against the answer key of the log fixtures. Skips loudly without them.
#include "core/base/file.h"
#include "tests/support/corpus.h"
#include "tests/unit/import_structured/support.h"

#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <iostream>
#include <set>

using namespace firstbad::core;
using namespace firstbad::test;

namespace {

SourceData readFixture(const std::filesystem::path& path, std::string_view format)
{
    const auto text = readWholeFile(path, std::uint64_t{64} << 20U);
    REQUIRE(text);
    if (format == "json" || format == "hf-trainer-state")
        return readJsonText(*text, path.filename().string(), {});
    if (format == "jsonl")
        return readLines(*text);
    return readTable(*text, path.stem().string());
}

void checkSeries(const SourceData& data, const JsonValue& want)
{
    const std::string name(want.find("name")->asText());
    CAPTURE(name);
    const Column column = columnOf(data, name);
    const ColumnSummary got = summarise(column);
    CHECK(toString(find(data, name)->quantity) == want.find("quantity")->asText());
    CHECK(static_cast<std::int64_t>(column.size()) == want.find("points")->asInteger());
    CHECK(static_cast<std::int64_t>(got.counts.nan) == want.find("nan")->asInteger());
    CHECK(static_cast<std::int64_t>(got.counts.posInf) == want.find("posinf")->asInteger());
    CHECK(static_cast<std::int64_t>(got.counts.negInf) == want.find("neginf")->asInteger());
    CHECK(got.firstStep == want.find("first_step")->asInteger());
    CHECK(got.lastStep == want.find("last_step")->asInteger());
    CHECK(got.firstNonfiniteStep == want.find("first_nonfinite_step")->asInteger());
    const double sum = want.find("sum_finite")->asNumber().value();
    CHECK(std::abs(got.sumFinite - sum) <= 1e-9 * std::max(1.0, std::abs(sum)));
    if (const JsonValue* const missing = want.find("missing"))
        CHECK(static_cast<std::int64_t>(got.missing) == missing->asInteger());
}

}  // namespace

TEST_CASE("Tables and JSON logs of the corpus agree with the key", "[corpus]")
{
    const std::set<std::string_view> formats{"csv", "tsv", "wandb-csv", "lightning-csv",
        "deepspeed-csv", "json", "jsonl", "hf-trainer-state"};
    const auto text = readWholeFile(corpusLogs() / "expected.json", std::uint64_t{64} << 20U);
    REQUIRE(text);
    const auto key = parseJson(*text);
    REQUIRE(key);
    int files = 0;
    for (const JsonValue& want : key->find("cases")->items) {
        const std::string_view format = want.find("format")->asText();
        if (formats.count(format) == 0)
            continue;
        const std::string load(want.find("load")->asText());
        CAPTURE(load);
        const SourceData data = readFixture(corpusLogs() / load, format);
        for (const JsonValue& series : want.find("series")->items)
            checkSeries(data, series);
        CHECK(data.info.skipped.empty()
            == (want.find("damage")->items.empty()
                && load != "csv/spellings.csv"));  // one unreadable cell there
        ++files;
    }
    std::cout << "corpus: " << files << " files of tables and JSON\n";
    CHECK(files >= 22);
}
