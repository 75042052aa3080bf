// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/unit/ledger/written_ledger.h"

using namespace firstbad::core;
using namespace firstbad::test;

namespace {

StepFields samples(int first, int consumed)
{
    StepFields f;
    f.ids = fmt::format("[{},{}]", first, first + 1);
    f.more = fmt::format(",\"consumed_samples\":{}", consumed);
    return f;
}

std::vector<std::string> codes(const LedgerReport& report)
{
    std::vector<std::string> found;
    for (const LedgerStatement& one : report.statements)
        found.push_back(one.code);
    return found;
}

}  // namespace

TEST_CASE("A step done again with other samples is named with both", "[ledger]")
{
    WrittenLedger before(0, 1, 1);
    WrittenLedger after(0, 1, 2);
    for (int s = 1; s <= 6; ++s)
        before.step(s, samples(10 * s, 2 * s));
    for (int s = 4; s <= 8; ++s)
        after.step(s, samples(s < 6 ? 10 * s : 10 * s + 3, 2 * s));
    const LedgerReport report = reportOf({before, after});
    REQUIRE(report.acrossAttempts.list.size() == 1);
    const Disagreement& one = report.acrossAttempts.list[0];
    CHECK(one.step == 6);
    CHECK(one.field == "sample_ids");
    CHECK(one.values[0].attempt == 1);
    CHECK(one.values[0].text == "[60,61]");
    CHECK(one.values[1].text == "[63,64]");
    CHECK(codes(report) == std::vector<std::string>{"data-repeat"});
}

TEST_CASE("The order of the ids within a step does not matter", "[ledger]")
{
    WrittenLedger before(0, 1, 1);
    WrittenLedger after(0, 1, 2);
    StepFields f = samples(5, 2);
    before.step(1, f);
    f.ids = "[6, 5]";
    after.step(1, f);
    CHECK(reportOf({before, after}).acrossAttempts.total == 0);
}

TEST_CASE("Samples seen again, or left out, at a resume are stated", "[ledger]")
{
    const int shift = GENERATE(0, -2, 4);
    CAPTURE(shift);
    WrittenLedger before(0, 1, 1);
    WrittenLedger after(0, 1, 2);
    for (int s = 1; s <= 6; ++s)
        before.step(s, samples(2 * s, 2 * s));
    for (int s = 7; s <= 9; ++s)
        after.step(s, samples(2 * s + shift, 2 * s + shift));
    const auto found = codes(reportOf({before, after}));
    if (shift == 0)
        CHECK(found.empty());
    else if (shift < 0)
        CHECK(found == std::vector<std::string>{"data-repeat", "data-repeat"});
    else
        CHECK(found == std::vector<std::string>{"data-gap"});
}

TEST_CASE(
    "Another configuration is stated across attempts and disagreed about between ranks", "[ledger]")
{
    const auto make = [](int rank, int attempt, const char* hash) {
        WrittenLedger ledger(rank, 2, attempt, fmt::format(",\"config_hash\":\"{}\"", hash));
        for (int s = attempt * 10; s < attempt * 10 + 4; ++s)
            ledger.step(s, samples(2 * s, 2 * s));
        return ledger;
    };
    const LedgerReport changed
        = reportOf({make(0, 1, "aa"), make(1, 1, "aa"), make(0, 2, "bb"), make(1, 2, "bb")});
    CHECK(codes(changed) == std::vector<std::string>{"config-changed"});
    CHECK(changed.attempts[1].disagreements.total == 0);

    const LedgerReport split = reportOf({make(0, 1, "aa"), make(1, 1, "bb")});
    REQUIRE(split.attempts[0].disagreements.list.size() == 1);
    CHECK(split.attempts[0].disagreements.list[0].field == "header.config_hash");
}
