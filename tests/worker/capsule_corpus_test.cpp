// SPDX-License-Identifier: GPL-3.0-or-later
// The engine against the answer keys of the capsule corpus: places, states, precisions, sets.
#include "replay/engine/replay_engine.h"
#include "tests/support/catch.h"
#include "tests/worker/capsule_key.h"

#include <algorithm>
#include <fmt/format.h>
#include <iostream>

namespace {

using namespace firstbad;
using test::eachCapsule;
using test::integers;
using test::member;
using test::opened;
using test::placeText;
using test::Tally;

void checkPlace(Tally& tally, const std::string& name, const char* which,
    const core::JsonValue* key, const std::optional<core::ReplayPlace>& place)
{
    tally.check(placeText(place) == placeText(key),
        fmt::format("{} {}: {}, key {}", name, which, placeText(place), placeText(key)));
    if (key == nullptr || !place || placeText(place) != placeText(key))
        return;
    const auto* index = member(*key, "element_index");
    if (index != nullptr)
        tally.check(
            place->elementIndex == integers(*index), fmt::format("{} {} element", name, which));
    const auto* micro = member(*key, "micro_step");
    if (micro != nullptr)
        tally.check(place->microStep == micro->asInteger(), name + " micro-step");
    const auto* inputs = member(*key, "inputs_finite");
    if (inputs != nullptr)
        tally.check(place->inputsFinite == inputs->flag, fmt::format("{} {} inputs", name, which));
    const auto* weights = member(*key, "weights_finite");
    if (weights != nullptr)
        tally.check(
            place->weightsFinite == weights->flag, fmt::format("{} {} weights", name, which));
}

void checkStates(Tally& tally, const std::string& name, const char* lane,
    const core::JsonValue& key, const std::optional<std::vector<core::ReplayCell>>& cells)
{
    const auto* list = member(key, lane);
    for (std::size_t i = 0; list != nullptr && i < list->items.size(); ++i) {
        const auto& want = list->items[i];
        const auto* micro = member(want, "micro_step");
        const auto found = std::find_if(cells->begin(), cells->end(), [&](const auto& cell) {
            return cell.block == want.find("block")->asInteger()
                && cell.op == want.find("op")->asText()
                && cell.microStep == (micro == nullptr ? 0 : micro->asInteger());
        });
        const std::string state(want.find("state")->asText());
        const bool same = found != cells->end() && core::toString(found->state) == state;
        tally.check(same,
            fmt::format("{} {} {}/{}: {}, key {}", name, lane,
                want.find("block")->asInteger().value_or(-9), want.find("op")->asText(),
                found == cells->end() ? "absent" : core::toString(found->state), state));
        if (!same)
            return;
    }
}

void checkParameterLanes(
    Tally& tally, const std::string& name, const core::JsonValue& key, const core::ReplayLanes& got)
{
    const auto bad = [](const std::vector<core::ReplayCell>& cells) {
        return std::count_if(cells.begin(), cells.end(),
            [](const auto& cell) { return cell.state != core::CellState::Finite; });
    };
    const auto* grads = member(key, "grad");
    if (grads != nullptr && got.grad)
        tally.check(bad(*got.grad) == static_cast<std::ptrdiff_t>(grads->items.size()),
            fmt::format("{} grad: {} bad, key {}", name, bad(*got.grad), grads->items.size()));
    const auto compare = [&](const char* lane, const auto& cells) {
        const auto* want = member(key, lane);
        tally.check((want == nullptr) == !cells.has_value(), fmt::format("{} {} null", name, lane));
        if (want == nullptr || !cells)
            return;
        const auto wantBad = want->find("bad")->asInteger().value_or(-1);
        auto seen = static_cast<std::int64_t>(cells->size());
        auto isBad = static_cast<std::int64_t>(bad(*cells));
        for (const auto& cell : *cells) {
            if (cell.op == "norm") {  // the key counts parameters only
                --seen;
                --isBad;
            }
        }
        tally.check(
            isBad == wantBad, fmt::format("{} {}: {} bad, key {}", name, lane, isBad, wantBad));
        tally.check(seen == want->find("looked_at")->asInteger(),
            fmt::format("{} {}: {} looked at", name, lane, seen));
    };
    compare("clipped", got.clipped);
    compare("optimizer", got.optimizer);
    compare("param", got.param);
}

}  // namespace

TEST_CASE("a sweep finds the places and states of every key", "[corpus]")
{
    Tally places("first bad, first NaN");
    Tally states("lane states");
    Tally reproduced("reproduced");
    Tally verdicts("verdicts");
    const int count = eachCapsule([&](const test::KeyedCapsule& keyed) {
        auto engine = opened(keyed, places);
        if (!engine)
            return;
        core::JobContext job;
        const auto got = engine->sweep({}, {}, job);
        REQUIRE(got);
        reproduced.check(got->reproduced == keyed.key.find("reproduced")->asText(),
            keyed.name + " " + got->reproduced);
        const auto& verdict = *keyed.key.find("verdict");
        verdicts.check(got->verdictKind == verdict.find("kind")->asText()
                && got->verdictClass == verdict.find("class")->asText(),
            fmt::format("{}: {} {}, key {} {}", keyed.name, got->verdictKind, got->verdictClass,
                verdict.find("kind")->asText(), verdict.find("class")->asText()));
        const auto* lanes = member(keyed.key, "lanes");
        if (lanes == nullptr)
            return;
        checkPlace(places, keyed.name, "first bad", member(keyed.key, "first_bad"), got->firstBad);
        checkPlace(places, keyed.name, "first NaN", member(keyed.key, "first_nan"), got->firstNan);
        checkStates(states, keyed.name, "forward", *lanes, got->lanes.forward);
        checkStates(states, keyed.name, "backward", *lanes, got->lanes.backward);
        checkParameterLanes(states, keyed.name, *lanes, got->lanes);
        const auto* entry = member(keyed.key, "entry_bad");
        places.check(got->entryBad.size() == (entry == nullptr ? 0 : entry->items.size()),
            keyed.name + " bad at entry");
    });
    std::cout << count << " capsules\n";
    CHECK(places.failed() + states.failed() + reproduced.failed() + verdicts.failed() == 0);
}

TEST_CASE("a bisection ends at the first bad place of every key", "[corpus]")
{
    Tally tally("bisect");
    Tally cost("bisect cost");
    eachCapsule([&](const test::KeyedCapsule& keyed) {
        if (member(keyed.key, "bisect") == nullptr)
            return;
        auto engine = opened(keyed, tally);
        if (!engine)
            return;
        core::JobContext job;
        const auto got = engine->bisect({}, {}, job);
        REQUIRE(got);
        checkPlace(tally, keyed.name, "first bad", member(keyed.key, "first_bad"), got->firstBad);
        tally.check(!got->steps.empty(), keyed.name + " lists no steps");
        cost.check(!(got->cost.forwardEquivalents > 1.2 * 3.0),
            fmt::format("{}: {}", keyed.name, got->cost.forwardEquivalents));
    });
    CHECK(tally.failed() + cost.failed() == 0);
}
