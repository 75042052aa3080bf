// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/json_reader.h"
#include "core/present/json/ledger_json.h"
#include "core/present/ledger_table.h"
#include "core/present/text/ledger_text.h"
#include "core/present/text/text_width.h"
#include "tests/unit/ledger/written_ledger.h"

#include <sstream>

using namespace firstbad::core;
using namespace firstbad::test;

namespace {

LedgerReport thousandRanks()
{
    std::vector<WrittenLedger> ledgers;
    for (int rank = 0; rank < 1000; ++rank) {
        ledgers.emplace_back(rank, 1000);
        WrittenLedger& one = ledgers.back();
        one.steps(1, 6);
        StepFields f;
        f.skipped = f.globalBad = rank == 700 ? "false" : "true";
        f.norm = "\"NaN\"";
        if (rank == 462)
            one.bad(7, "forward", "blocks.41.attn.scores");
        one.step(7, f).decision(7, rank == 700 ? "update" : "skip").step(8);
    }
    return reportOf(ledgers);
}

}  // namespace

TEST_CASE(
    "Equal ranks are folded, the origin stands first, split decisions are counted", "[ledger]")
{
    const LedgerReport report = thousandRanks();
    const LedgerTable table = makeLedgerTable(report.attempts[0], 2, 4);
    CHECK(table.steps == std::vector<std::int64_t>{5, 6, 7, 8});
    CHECK(table.focus == 2U);
    REQUIRE(table.rows.size() == 3);
    CHECK(table.rows[0].ranks == std::vector<std::int32_t>{462});
    CHECK(table.rows[0].role == RankRole::Origin);
    CHECK(table.rows[1].ranks == std::vector<std::int32_t>{700});
    CHECK(table.rows[1].disagrees);
    CHECK(table.rows[2].ranks.size() == 998);
    REQUIRE(table.decisions[2].size() == 2);
    CHECK(table.decisions[2][0].action == "skip");
    CHECK(table.decisions[2][0].ranks == 999);
    CHECK(table.decisions[2][1].ranks == 1);
}

TEST_CASE("The text of a thousand ranks fits 80 columns and one screen", "[ledger]")
{
    const std::vector<LedgerReport> reports{thousandRanks()};
    const TextStyle style;
    std::istringstream lines(render(ledgerText(reports, style, false), style));
    int count = 0;
    std::string all;
    for (std::string line; std::getline(lines, line); ++count) {
        CAPTURE(line);
        CHECK(displayWidth(line) <= 80);
        all += line + '\n';
    }
    CHECK(count < 40);
    CHECK_THAT(all, Catch::Matchers::ContainsSubstring("rank 462"));
    CHECK_THAT(all, Catch::Matchers::ContainsSubstring("999skip/1up"));
}

TEST_CASE("The JSON has the members of the contract", "[ledger]")
{
    const std::vector<LedgerReport> reports{thousandRanks()};
    const auto document = parseJson(ledgerJson(reports));
    REQUIRE(document);
    CHECK(document->find("ranks")->asInteger() == 1000);
    CHECK(document->find("first_bad")->find("rank")->asInteger() == 462);
    CHECK(document->find("first_bad")->find("lane")->asText() == "forward");
    CHECK(document->find("first_bad")->find("block")->asInteger() == 41);
    REQUIRE(document->find("origin_ranks")->items.size() == 1);
    CHECK(document->find("victim_ranks")->items.size() == 999);
    const JsonValue& first = document->find("disagreements")->items.at(0);
    CHECK(first.find("step")->asInteger() == 7);
    CHECK(first.find("field")->asText() == "skipped_step");
    CHECK(first.find("values")->items.at(1).find("ranks")->items.at(0).asInteger() == 700);
    CHECK(document->find("chain")->items.at(3).find("ok")->flag);
    CHECK(document->find("missing")->items.empty());
}
