// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/bisect/bisect_log.h"
#include "tests/support/catch.h"

using namespace firstbad::core;
using Catch::Matchers::ContainsSubstring;

namespace {

BisectScope scopeOf()
{
    BisectScope scope;
    scope.capsule = "a b.capsule";
    scope.family = "gpt2";
    scope.blocks = 1;
    return scope;
}

/// A search that ends at blocks.0.attn.scores.
std::vector<BisectEntry> finishedRows()
{
    std::vector<BisectEntry> rows{startRow(scopeOf(), {})};
    const auto add = [&rows](const char* probe, ProbeVerdict verdict, const char* by,
                         const ProbeEvidence& evidence) {
        rows.push_back(verdictRow(probe, verdict, by, evidence, rows));
    };
    add("head", ProbeVerdict::Bad, "program", {"NaN 3", {}});
    add("embedding", ProbeVerdict::Good, "person", {"looks fine", {}});
    add("blocks.0", ProbeVerdict::Bad, "program", {"NaN 2", {}});
    add("blocks.0.attn.qkv", ProbeVerdict::Good, "program", {"max 3", {}});
    add("blocks.0.attn.softmax", ProbeVerdict::Skip, "person", {"", {}});
    const ReplayPlace place{"forward", 0, "attn.scores", "blocks.0.attn.scores", "output",
        "Infinity", {0, 1, 2, 3}, 0, true, true, {}};
    add("blocks.0.attn.scores", ProbeVerdict::Bad, "program", {"+Inf 1", place});
    return rows;
}

}  // namespace

TEST_CASE("a search is built from its rows, with the element that a probe saw", "[core][bisect]")
{
    const auto open = OpenBisect::from(finishedRows());
    REQUIRE(open);
    REQUIRE(*open);
    CHECK((*open)->search().state() == BisectState::Found);
    const auto place = (*open)->firstBad();
    REQUIRE(place);
    CHECK(place->locus == "blocks.0.attn.scores");
    CHECK(place->elementIndex == std::vector<std::int64_t>{0, 1, 2, 3});
    CHECK((*open)->rows().size() == 7);
    CHECK(evidenceText((*open)->rows()[2]) == "looks fine");
}

TEST_CASE("a log written as text is replayed to the same end", "[core][bisect]")
{
    const auto rows = finishedRows();
    const auto again = parseBisectLog(bisectLogText(rows), "log");
    REQUIRE(again);
    REQUIRE(again->size() == rows.size());
    CHECK(bisectLogText(*again) == bisectLogText(rows));
    const auto open = OpenBisect::from(*again);
    REQUIRE(open);
    CHECK((*open)->firstBad()->elementIndex == std::vector<std::int64_t>{0, 1, 2, 3});
    CHECK((*open)->search().scope().capsule == "a b.capsule");
}

TEST_CASE("a reset closes the search, and a start begins anew", "[core][bisect]")
{
    auto rows = finishedRows();
    rows.push_back(resetRow(rows));
    CHECK_FALSE(*OpenBisect::from(rows));
    rows.push_back(startRow(scopeOf(), rows));
    CHECK(rows.back().n == 9);
    const auto open = OpenBisect::from(rows);
    REQUIRE(*open);
    CHECK((*open)->rows().size() == 1);
    CHECK((*open)->search().state() == BisectState::Blocks);
}

TEST_CASE("rows and lines that make no sense are Malformed", "[core][bisect]")
{
    auto rows = finishedRows();
    rows.erase(rows.begin());
    CHECK_FALSE(OpenBisect::from(rows));
    rows = {startRow(scopeOf(), {})};
    rows.push_back(verdictRow("blocks.7", ProbeVerdict::Bad, "person", {}, rows));
    CHECK_FALSE(OpenBisect::from(rows));
    const auto* line = GENERATE("start", "start {}", "maybe blocks.0 person", "bad", "bad blocks.0",
        "bad blocks.0 someone",
        R"(start {"capsule":"c","family":"gpt2","blocks":-3,"lane":"forward"})",
        R"(start {"capsule":"c","family":"gpt2","blocks":99999999999,"lane":"forward"})");
    CAPTURE(line);
    const auto parsed = parseBisectLog(std::string("# a comment\n") + line, "log");
    REQUIRE_FALSE(parsed);
    CHECK_THAT(parsed.error().message, ContainsSubstring("log:2"));
}
