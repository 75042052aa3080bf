// SPDX-License-Identifier: GPL-3.0-or-later
// Holds what the importers read from the log corpus against its answer key.
//
// Set FIRSTBAD_CORPUS_REPORT=1 to see every case that differs.
#include "core/import/load.h"
#include "tests/support/catch.h"
#include "tests/support/corpus.h"

#include <array>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fmt/format.h>
#include <fstream>
#include <rapidjson/document.h>
#include <rapidjson/istreamwrapper.h>

namespace firstbad::test {
namespace {

namespace fs = std::filesystem;
using core::Column;
using core::ColumnSummary;
using core::Series;

// Cases that were right when this was last raised; never lower it.
constexpr std::size_t kKnownGood = 104;

ColumnSummary wholeSeries(const Series& series)
{
    ColumnSummary all;
    for (const auto& column : series.columns) {
        if (column)
            all.append(core::summarise(*column));
    }
    return all;
}

std::string differences(const rapidjson::Value& want, const ColumnSummary& got)
{
    std::string text;
    const auto check = [&](const char* field, std::uint64_t have) {
        if (want[field].IsUint64() && want[field].GetUint64() != have)
            text += fmt::format(" {} {} not {};", field, have, want[field].GetUint64());
    };
    const std::uint64_t points = got.counts.finite + got.counts.nonfinite();
    const bool dropped = want.HasMember("points_if_spliced_lines_are_dropped")
        && want["points_if_spliced_lines_are_dropped"].GetUint64() == points;
    if (want["points"].IsNull() || dropped)
        return text;
    check("points", points);
    check("nan", got.counts.nan);
    check("posinf", got.counts.posInf);
    check("neginf", got.counts.negInf);
    if (want.HasMember("missing"))
        check("missing", got.missing);
    const auto checkStep = [&](const char* field, std::optional<std::int64_t> have) {
        if (want[field].IsInt64() && have != want[field].GetInt64())
            text += fmt::format(" {} {} not {};", field, have.value_or(-1), want[field].GetInt64());
    };
    checkStep("first_step", got.firstStep);
    checkStep("last_step", got.lastStep);
    checkStep("first_nonfinite_step", got.firstNonfiniteStep);
    const double sum = std::strtod(want["sum_finite"].GetString(), nullptr);
    if (!(std::fabs(sum - got.sumFinite) <= 1e-9 * std::max(1.0, std::fabs(sum))))
        text += fmt::format(" sum {} not {};", got.sumFinite, sum);
    return text;
}

std::string caseProblems(const rapidjson::Value& wanted, const core::Dataset& data)
{
    std::string problems;
    for (const auto& want : wanted["series"].GetArray()) {
        const std::string name = want["name"].GetString();
        std::string best = " missing;";
        for (const auto& run : data.runs) {
            const Series* const series = run->find(std::string_view(name));
            if (series == nullptr)
                continue;
            best = differences(want, wholeSeries(*series));
            const std::string quantity = want["quantity"].GetString();
            if (quantity != "other" && quantity != core::toString(series->quantity))
                best += fmt::format(
                    " quantity {} not {};", core::toString(series->quantity), quantity);
            if (best.empty())
                break;
        }
        if (!best.empty())
            problems += fmt::format("\n    {}:{}", name, best);
    }
    const std::size_t attempts = wanted["attempts"].Size();
    const bool same
        = attempts == 0 || data.runs.size() != 1 || data.runs[0]->attempts.size() == attempts;
    if (!same)
        problems
            += fmt::format("\n    {} attempts, not {}", data.runs[0]->attempts.size(), attempts);
    return problems;
}

}  // namespace

TEST_CASE("Every case of the log corpus gives the series of its answer key", "[corpus]")
{
    std::ifstream file(corpusLogs() / "expected.json");
    REQUIRE(file);
    rapidjson::IStreamWrapper stream(file);
    rapidjson::Document key;
    key.ParseStream(stream);
    REQUIRE_FALSE(key.HasParseError());

    std::size_t good = 0;
    std::string failed;
    for (const auto& wanted : key["cases"].GetArray()) {
        core::JobContext job;
        const std::array paths{corpusLogs() / wanted["load"].GetString()};
        const auto data = core::loadPaths(paths, {}, job);
        const std::string problems
            = data ? caseProblems(wanted, **data) : "\n    " + data.error().message;
        if (problems.empty())
            ++good;
        else
            failed += fmt::format(
                "\n  {} ({}):{}", wanted["id"].GetString(), wanted["load"].GetString(), problems);
    }
    std::printf(
        "corpus: %zu of %u cases as the key says%s\n", good, key["cases"].Size(), failed.c_str());
    CHECK(good >= kKnownGood);
}

}  // namespace firstbad::test
