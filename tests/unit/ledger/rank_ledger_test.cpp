// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/unit/ledger/written_ledger.h"

using namespace firstbad::core;
using namespace firstbad::test;

TEST_CASE("Rows keep all values, decisions stand beside their step", "[core][ledger]")
{
    WrittenLedger written(3, 8);
    StepFields skipped;
    skipped.skipped = "true";
    skipped.norm = "\"Infinity\"";
    written.step(5).decision(5, "update").step(6, skipped).decision(6, "skip").step(7);
    const RankLedger ledger = written.read();
    CHECK(ledger.damage.empty());
    CHECK_FALSE(ledger.brokenAt);
    CHECK(ledger.header.rank == 3);
    CHECK(ledger.header.worldSize == 8);
    REQUIRE(ledger.rows() == 3);
    CHECK(ledger.step(1) == 6);
    CHECK(ledger.value(LedgerColumn::Loss, 0) == 2.5);
    CHECK(classify(*ledger.value(LedgerColumn::TotalGradNorm, 1)) == ValueKind::PlusInfinity);
    CHECK(ledger.value(LedgerColumn::Action, 0) == 0.0);
    CHECK(ledger.value(LedgerColumn::Action, 1) == 1.0);
    CHECK_FALSE(ledger.value(LedgerColumn::Action, 2));
    CHECK_FALSE(ledger.value(LedgerColumn::LossScale, 0));
    CHECK(ledger.marked == std::vector<std::uint32_t>{1});
    REQUIRE(ledger.samplesOf(2) != nullptr);
    CHECK(*ledger.samplesOf(2) == "[1,2]");
}

TEST_CASE("The first line that breaks the chain is named, once", "[core][ledger]")
{
    WrittenLedger written(0);
    written.steps(1, 6);
    std::string& changed = written.lines()[2];
    changed.replace(changed.find("2.5"), 3, "2.6");
    written.lines().erase(written.lines().begin() + 5);
    const RankLedger ledger = written.read();
    CHECK(ledger.brokenAt == 4U);
    CHECK(ledger.rows() == 5);
    REQUIRE(ledger.damage.size() == 2);
    CHECK_THAT(ledger.damage[1].reason, Catch::Matchers::ContainsSubstring("1 further"));
}

TEST_CASE("A torn tail may be growing; a torn or blank line within is damage", "[core][ledger]")
{
    WrittenLedger written(0);
    written.step(1).raw("{\"kind\":\"st");
    CHECK(written.read(false).damage.at(0).mayBeGrowing);
    written.raw("").step(2);
    const RankLedger ledger = written.read();
    REQUIRE(ledger.damage.size() == 2);
    CHECK(ledger.damage[0].code == "not-json");
    CHECK(ledger.damage[1].code == "blank-line");
    CHECK_FALSE(ledger.brokenAt);
    CHECK(ledger.rows() == 2);
}

TEST_CASE("A second first is a contradiction; the one in file order stays", "[core][ledger]")
{
    WrittenLedger written(0);
    written.steps(1, 9).bad(9, "loss").bad(7, "forward", "blocks.1.mlp", 1);
    const RankLedger ledger = written.read();
    REQUIRE(ledger.bads.size() == 1);
    CHECK(ledger.bads[0].step == 9);
    REQUIRE(ledger.damage.size() == 1);
    CHECK(ledger.damage[0].code == "contradiction");
}

TEST_CASE("Two actions in one step, or a list of optimizers, is a partial skip", "[core][ledger]")
{
    WrittenLedger written(0);
    StepFields lists;
    lists.more = ",\"optimizers\":[{\"name\":\"a\",\"skipped_step\":true},"
                 "{\"name\":\"b\",\"skipped_step\":false}]";
    written.step(4).decision(4, "skip").decision(4, "update").step(5, lists).step(6);
    CHECK(written.read().partialSkips == std::vector<std::int64_t>{4, 5});
}

TEST_CASE("A line of absurd numbers and nothing else is survived", "[core][ledger]")
{
    WrittenLedger written(0);
    written.line("step", "\"step\":1e9999,\"loss\":1e999")
        .line("step", "\"step\":99999999999999999999")
        .line("step", "\"step\":5,\"loss\":\"\",\"sample_ids\":[,,],\"accum\":7,\"optimizers\":1")
        .line("surprise", "\"x\":1");
    const RankLedger ledger = written.read();
    CHECK(ledger.rows() == 1);
    REQUIRE(ledger.damage.size() == 3);
    CHECK(ledger.damage[0].code == "unreadable-step");
    CHECK(ledger.damage[2].code == "unknown-kind");
}
