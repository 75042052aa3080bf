// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/unit/ledger/written_ledger.h"

using namespace firstbad::core;
using namespace firstbad::test;

namespace {

using Ranks = std::vector<std::int32_t>;

StepFields skip(std::string localBad = "false", std::string stage = "null")
{
    StepFields f;
    f.skipped = f.globalBad = "true";
    f.localBad = std::move(localBad);
    f.stage = std::move(stage);
    f.norm = "\"Infinity\"";
    f.after = "512.0";
    return f;
}

const LedgerStatement* statement(const LedgerReport& report, std::string_view code)
{
    for (const LedgerStatement& one : report.statements) {
        if (one.code == code)
            return &one;
    }
    return nullptr;
}

}  // namespace

TEST_CASE("One rank brings a NaN into the reduce: it is the origin, the rest victims", "[ledger]")
{
    WrittenLedger zero(0, 3);
    WrittenLedger one(1, 3);
    WrittenLedger two(2, 3);
    for (WrittenLedger* ledger : {&zero, &two})
        ledger->steps(1, 4).step(5, skip()).decision(5, "stop").end("exception", "stopped");
    one.steps(1, 4).bad(5, "grad_local").step(5, skip("true", "\"grad_local\""));
    one.decision(5, "stop").end("exception", "stopped");
    const LedgerReport report = reportOf({zero, one, two});
    const BadEvents& bad = report.attempts[0].bad;
    REQUIRE(bad.first);
    CHECK(bad.first->step == 5);
    CHECK(bad.first->rank == 1);
    CHECK(bad.first->lane() == "grad");
    CHECK(bad.first->block() == 4);
    CHECK(bad.first->isFrozen);
    CHECK(bad.origins == Ranks{1});
    CHECK(bad.victims == Ranks{0, 2});
    CHECK(report.holdsFault());
    CHECK(report.attempts[0].disagreements.total == 0);
    CHECK_FALSE(report.attempts[0].hang);
}

TEST_CASE("A sum that overflows in the reduce has no rank to blame", "[ledger]")
{
    std::vector<WrittenLedger> ledgers;
    for (int rank = 0; rank < 4; ++rank) {
        ledgers.emplace_back(rank, 4);
        ledgers.back().steps(1, 20);
        for (int s = 21; s < 29; ++s)
            ledgers.back().step(s, skip("false", "\"grad_reduced\""));
    }
    const LedgerReport report = reportOf(ledgers);
    const BadEvents& bad = report.attempts[0].bad;
    REQUIRE(bad.first);
    CHECK(bad.first->step == 21);
    CHECK_FALSE(bad.first->rank);
    CHECK(bad.first->lane() == "reduced");
    CHECK(bad.bornInReduce);
    CHECK(bad.origins.empty());
    CHECK(bad.victims == Ranks{0, 1, 2, 3});
}

TEST_CASE("A probe of the scaler is benign only when all skip it and go on clean", "[ledger]")
{
    WrittenLedger zero(0);
    WrittenLedger one(1);
    for (WrittenLedger* ledger : {&zero, &one})
        ledger->steps(1, 30).step(31, skip("true", "\"grad_local\"")).steps(32, 60);
    const LedgerReport probe = reportOf({zero, one});
    REQUIRE(probe.attempts[0].bad.first);
    CHECK(probe.attempts[0].bad.first->isProbe);
    CHECK_FALSE(probe.holdsFault());

    SECTION("a fault after it is the first bad, not the probe")
    {
        one.bad(61, "forward").step(61, skip("true", "\"forward\""));
        zero.step(61, skip());
        const LedgerReport report = reportOf({zero, one});
        CHECK(report.attempts[0].bad.first->step == 61);
        CHECK(report.attempts[0].bad.origins == Ranks{1});
        CHECK(report.holdsFault());
    }
    SECTION("without a clean step after it nothing shows that it was one")
    {
        zero = WrittenLedger(0);
        one = WrittenLedger(1);
        for (WrittenLedger* ledger : {&zero, &one})
            ledger->steps(1, 30).step(31, skip("true", "\"grad_local\""));
        CHECK(reportOf({zero, one}).holdsFault());
    }
}

TEST_CASE("Ranks that decide differently are named with their values", "[ledger]")
{
    std::vector<WrittenLedger> ledgers;
    for (int rank = 0; rank < 4; ++rank) {
        ledgers.emplace_back(rank, 4);
        ledgers.back().steps(1, 6);
        if (rank == 2)
            ledgers.back().step(7, skip("true", "\"grad_reduced\"")).decision(7, "skip");
        else
            ledgers.back().step(7).decision(7, "update");
    }
    const LedgerReport report = reportOf(ledgers);
    const auto& list = report.attempts[0].disagreements.list;
    REQUIRE(list.size() == 5);  // scale after, norm, skipped, global_bad, action
    for (const Disagreement& one : list) {
        CHECK(one.step == 7);
        REQUIRE(one.values.size() == 2);
        CHECK(one.values[0].ranks == Ranks{0, 1, 3});
        CHECK(one.values[1].ranks == Ranks{2});
    }
    CHECK(list[0].field == "loss_scale_after");
    CHECK(list[0].values[1].number == 512.0);
    CHECK(list[4].field == "decision.action");
    CHECK(list[4].values[1].text == "skip");
    CHECK(report.attempts[0].bad.first->rank == 2);
}

TEST_CASE("A norm summed in another order is no disagreement, another norm is", "[ledger]")
{
    StepFields a;
    StepFields b;
    a.norm = "30.0";
    b.norm = GENERATE(as<std::string>(), "30.000001", "3.0");
    WrittenLedger zero(0);
    WrittenLedger one(1);
    zero.step(1, a);
    one.step(1, b);
    const LedgerReport report = reportOf({zero, one});
    CHECK(report.attempts[0].disagreements.total == (b.norm == "3.0" ? 1U : 0U));
}

TEST_CASE("Loss, samples and what a rank does not say may differ", "[ledger]")
{
    StepFields a;
    StepFields b;
    a.loss = "2.1";
    b.loss = "2.2";
    b.ids = "[3,4]";
    b.norm = "null";
    WrittenLedger zero(0);
    WrittenLedger one(1);
    zero.step(1, a);
    one.step(1, b);
    CHECK(reportOf({zero, one}).attempts[0].disagreements.total == 0);
}

TEST_CASE("One rank raises and the others are killed waiting: a hang", "[ledger]")
{
    StepFields nan;
    nan.loss = "NaN";
    nan.localBad = "true";
    nan.globalBad = "null";
    WrittenLedger zero(0, 4);
    zero.steps(1, 11).bad(12, "loss", "loss").step(12, nan).end("exception", "loss is NaN");
    std::vector<WrittenLedger> ledgers{zero};
    for (int rank = 1; rank < 3; ++rank) {
        ledgers.emplace_back(rank, 4);
        ledgers.back().steps(1, 11).end("signal", "terminated");
    }
    const LedgerReport report = reportOf(ledgers);
    const LedgerAttempt& attempt = report.attempts[0];
    REQUIRE(attempt.hang);
    CHECK(attempt.hang->stopped == Ranks{0});
    CHECK(attempt.hang->waiting == Ranks{1, 2});
    CHECK(attempt.bad.origins == Ranks{0});
    CHECK(attempt.bad.victims == Ranks{1, 2});
    REQUIRE(attempt.missing.size() == 3);
    CHECK(attempt.missing[0].rank == 1);
    CHECK(attempt.missing[0].fromStep == 12);
    CHECK(attempt.missing[2].rank == 3);
    CHECK_FALSE(attempt.missing[2].hasLedger);
    REQUIRE(statement(report, "rank-only") != nullptr);
    CHECK(statement(report, "rank-only")->ranks == Ranks{3});
}

TEST_CASE("Wait lines tell who never came to the collective", "[ledger]")
{
    WrittenLedger zero(0, 3);
    WrittenLedger one(1, 3);
    WrittenLedger two(2, 3);
    for (WrittenLedger* ledger : {&zero, &two})
        ledger->steps(1, 4).line("wait", "\"step\":5,\"op\":\"all_reduce\",\"seq\":17");
    one.steps(1, 4).line("wait", "\"step\":4,\"op\":\"all_reduce\",\"seq\":16");
    const LedgerReport report = reportOf({zero, one, two});
    REQUIRE(report.attempts[0].hang);
    CHECK(report.attempts[0].hang->stopped == Ranks{1});
    CHECK(report.attempts[0].hang->waiting == Ranks{0, 2});
    CHECK(report.attempts[0].hang->op == "all_reduce");

    one = WrittenLedger(1, 3);
    one.steps(1, 4).line("wait", "\"step\":5,\"op\":\"all_reduce\",\"seq\":17");
    CHECK_FALSE(reportOf({zero, one, two}).attempts[0].hang);  // all are there: may go on
}

TEST_CASE("A flag without any bad value is stated, and nobody is blamed", "[ledger]")
{
    StepFields flagged;
    flagged.skipped = flagged.globalBad = "true";
    WrittenLedger zero(0);
    WrittenLedger one(1);
    for (WrittenLedger* ledger : {&zero, &one})
        ledger->steps(1, 39).step(40, flagged).decision(40, "skip").steps(41, 50);
    const LedgerReport report = reportOf({zero, one});
    CHECK_FALSE(report.attempts[0].bad.first);
    CHECK_FALSE(report.holdsFault());
    REQUIRE(statement(report, "flag-without-value") != nullptr);
    CHECK(statement(report, "flag-without-value")->steps == std::vector<std::int64_t>{40});
}

TEST_CASE(
    "Inside a replica the earliest op is the origin; other replicas are concurrent", "[ledger]")
{
    const auto make = [](int rank, int dp, int tp) {
        return WrittenLedger(
            rank, 4, 1, fmt::format(",\"dp_rank\":{},\"tp_rank\":{},\"pp_rank\":0", dp, tp))
            .steps(1, 2);
    };
    std::vector<WrittenLedger> ledgers;
    for (int rank = 0; rank < 4; ++rank)
        ledgers.push_back(make(rank, rank / 2, rank % 2));
    ledgers[0].bad(3, "forward", "blocks.7.attn.out");
    ledgers[1].bad(3, "forward", "blocks.7.attn.scores");
    ledgers[2].bad(3, "loss", "loss");
    const LedgerReport report = reportOf(ledgers);
    CHECK(report.attempts[0].bad.origins == Ranks{1, 2});
    CHECK(report.attempts[0].bad.first->rank == 1);
}

TEST_CASE("More micro-steps in the buffer than an update has are stale gradients", "[ledger]")
{
    WrittenLedger zero(0, 1);
    StepFields f;
    f.more = ",\"accum\":{\"expected\":4,\"used\":4,\"divisor\":4}";
    zero.step(1, f);
    CHECK(statement(reportOf({zero}), "stale-gradient") == nullptr);
    f.more = ",\"accum\":{\"expected\":4,\"used\":6,\"divisor\":4}";
    zero.step(2, f);
    const LedgerReport report = reportOf({zero});
    REQUIRE(statement(report, "stale-gradient") != nullptr);
    CHECK(statement(report, "stale-gradient")->steps == std::vector<std::int64_t>{2});
    CHECK(report.holdsFault());
}

TEST_CASE("Ranks are joined by step and micro-step whatever rows they lack", "[ledger]")
{
    WrittenLedger zero(0);
    WrittenLedger one(1);
    zero.steps(1, 3).steps(6, 9);
    one.steps(2, 8);
    StepFields other;
    other.after = "1.0";
    one.step(9, other);
    const LedgerReport report = reportOf({zero, one});
    CHECK(report.attempts[0].group.keys().size() == 9);
    REQUIRE(report.attempts[0].disagreements.list.size() == 1);
    CHECK(report.attempts[0].disagreements.list[0].step == 9);
}
