// SPDX-License-Identifier: GPL-3.0-or-later
// Counterfactuals and minimal sets against the answer keys of the capsule corpus: many runs a
// capsule, therefore slow.
#include "replay/engine/replay_engine.h"
#include "tests/support/catch.h"
#include "tests/worker/capsule_key.h"

#include <algorithm>
#include <fmt/format.h>

namespace {

using namespace firstbad;
using test::eachCapsule;
using test::integers;
using test::member;
using test::opened;
using test::placeText;
using test::Tally;

}  // namespace

TEST_CASE("the matrix fails where every key says, and names the blocks that need fp32", "[corpus]")
{
    Tally cells("precisions");
    Tally blocks("fp32 blocks");
    Tally paths("attention paths, scale 1");
    eachCapsule([&](const test::KeyedCapsule& keyed) {
        auto engine = opened(keyed, cells);
        if (!engine)
            return;
        core::JobContext job;
        const auto got = engine->matrix({}, {}, job);
        REQUIRE(got);
        const auto cellOf = [&](const std::string& vary, const std::string& value) {
            return std::find_if(got->cells.begin(), got->cells.end(),
                [&](const auto& cell) { return cell.vary == vary && cell.value == value; });
        };
        const auto compare
            = [&](const std::string& vary, const std::string& value, const core::JsonValue& want) {
                  const auto cell = cellOf(vary, value);
                  if (cell == got->cells.end())
                      return cells.check(false, keyed.name + " has no cell " + value);
                  const auto* first = member(want, "first_bad");
                  cells.check(placeText(cell->firstBad) == placeText(first),
                      fmt::format("{} {}: {}, key {}", keyed.name, value, placeText(cell->firstBad),
                          placeText(first)));
              };
        if (const auto* precisions = member(keyed.key, "precisions")) {
            for (const auto& [name, want] : precisions->members)
                compare("precision", name, want);
        }
        const auto* scaled = member(keyed.key, "at_scale_1");
        if (scaled != nullptr && keyed.capsule.precision.lossScale != 1.0)
            compare("loss_scale", "1", *scaled);
        if (const auto* attention = member(keyed.key, "attention_paths")) {
            for (const auto& [name, want] : attention->members)
                paths.check(cellOf("attention", name)->fails == want.flag,
                    keyed.name + " attention " + name);
        }
        if (const auto* want = member(keyed.key, "fp32_blocks")) {
            const auto set = integers(*want->find("minimal"));
            blocks.check(got->fp32Blocks && *got->fp32Blocks == set, keyed.name);
        }
    });
    CHECK(cells.failed() + blocks.failed() + paths.failed() == 0);
}

TEST_CASE("isolating rows finds every minimal set of every key", "[corpus]")
{
    Tally tally("isolate");
    eachCapsule([&](const test::KeyedCapsule& keyed) {
        const auto* rows = member(keyed.key, "rows");
        if (rows == nullptr)
            return;
        auto engine = opened(keyed, tally);
        if (!engine)
            return;
        core::JobContext job;
        auto got = engine->isolate({}, {}, job);
        REQUIRE(got);
        std::vector<std::vector<std::int64_t>> want;
        for (const auto& set : rows->find("minimal")->items)
            want.push_back(integers(set));
        std::sort(got->minimalSets.begin(), got->minimalSets.end());
        tally.check(got->minimalSets == want, keyed.name);
        tally.check(got->unique == rows->find("unique")->flag, keyed.name + " unique");
        for (const auto& [row, key] : rows->find("alone")->members) {
            const auto& alone = got->alone.at(std::stoll(row));
            const bool none = key.kind == core::JsonValue::Kind::Null;
            tally.check(none ? !alone
                             : alone && alone->lane == key.find("lane")->asText()
                        && alone->op == key.find("op")->asText()
                        && alone->kind == key.find("kind")->asText(),
                fmt::format("{} row {} alone", keyed.name, row));
        }
    });
    CHECK(tally.failed() == 0);
}
