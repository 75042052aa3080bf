// SPDX-License-Identifier: GPL-3.0-or-later
// Judges every log of the corpus and holds the incidents against its answer key, with the
// tolerances that the key states.
#include "core/base/file.h"
#include "core/base/json_reader.h"
#include "core/detect/judge.h"
#include "core/import/load.h"
#include "tests/support/catch.h"
#include "tests/support/corpus.h"

#include <algorithm>
#include <filesystem>
#include <iostream>
#include <map>
#include <set>

namespace {

namespace fs = std::filesystem;
using namespace firstbad::core;
using firstbad::test::corpusLogs;

constexpr std::uint64_t kKeyLimit = 64U << 20U;

/// The key's kind, and the kinds that say the same.
const std::set<std::string_view>& sayingTheSame(std::string_view kind)
{
    static const std::map<std::string_view, std::set<std::string_view>> kSame{
        {"nonfinite-loss", {"nonfinite-loss", "silent-nonfinite", "empty-loss", "poisoned-state"}},
        {"nonfinite-grad",
            {"nonfinite-grad", "silent-nonfinite", "norm-overflow", "stale-gradient",
                "poisoned-state", "nonfinite-loss"}},
        {"loss-spike", {"loss-spike"}},
        {"grad-spike", {"grad-spike", "loss-spike"}},
        {"scale-probe-benign", {"scale-probe"}},
        {"scale-collapse", {"scale-collapse", "skip-burst"}},
        {"skip-burst", {"scale-collapse", "skip-burst"}},
        {"restart", {"restart"}},
        {"throughput-drop", {"throughput-drop"}},
    };
    return kSame.at(kind);
}

/// Logs whose key asks for more than the log can show: overflow notes without steps after the last
/// record (a probe and a collapse are one run of halvings there), and a console whose key names no
/// step, so that every fault counts as a false alarm.
const std::set<std::string_view> kUndecidable{
    "fairseq-simple", "fairseq-json", "lightning-console"};

struct Wanted {
    std::string kind;
    std::optional<std::int64_t> first;
    std::optional<std::int64_t> last;
    std::optional<std::pair<std::int64_t, std::optional<std::int64_t>>> window;
    std::string verdict;
    bool weak = false;
    bool leads = false;
    bool visible = true;
};

std::optional<std::int64_t> integerOf(const JsonValue& value, std::string_view name)
{
    const JsonValue* found = value.find(name);
    return found ? found->asInteger() : std::nullopt;
}

std::string textOf(const JsonValue& value, std::string_view name)
{
    const JsonValue* found = value.find(name);
    return found ? std::string(found->asText()) : std::string();
}

Wanted wantedFrom(const JsonValue& value)
{
    Wanted wanted;
    wanted.kind = textOf(value, "kind");
    wanted.first = integerOf(value, "first_step");
    wanted.last = integerOf(value, "last_step");
    wanted.verdict = textOf(value, "verdict");
    if (const JsonValue* window = value.find("window"); window && window->items.size() == 2)
        wanted.window.emplace(
            window->items[0].asInteger().value_or(0), window->items[1].asInteger());
    const JsonValue* ratio = value.find("peak_ratio");
    wanted.weak = ratio && ratio->asNumber() && *ratio->asNumber() < 1.8;
    wanted.leads = value.find("leads_to") != nullptr;
    const JsonValue* visible = value.find("visible");
    wanted.visible = !visible || visible->kind != JsonValue::Kind::Boolean || visible->flag;
    return wanted;
}

bool isNear(std::int64_t a, std::int64_t b, std::int64_t tolerance)
{
    return std::abs(a - b) <= tolerance;
}

bool matches(const Incident& found, const Wanted& want)
{
    if (sayingTheSame(want.kind).count(toString(found.kind)) == 0)
        return false;
    if (!want.first)
        return true;
    if (want.window)
        return found.onsetStep >= want.window->first - 1
            && (!want.window->second || found.onsetStep <= *want.window->second);
    if (want.kind == "loss-spike" || want.kind == "grad-spike")
        return isNear(found.onsetStep, *want.first, 3);
    const bool inside = want.kind == "scale-probe-benign" && found.endStep
        && found.onsetStep - 1 <= *want.first && *want.first <= *found.endStep + 1;
    return isNear(found.onsetStep, *want.first, 1) || inside;
}

bool isQuoted(const Incident& found, std::int64_t step)
{
    return (found.firstBad && found.firstBad->step == step)
        || std::any_of(found.evidence.begin(), found.evidence.end(),
            [&](const Evidence& one) { return one.step == step; });
}

std::vector<const Incident*> hitsFor(const std::vector<Incident>& found, const Wanted& want)
{
    const auto all = [&](auto fits) {
        std::vector<const Incident*> hits;
        for (const Incident& one : found) {
            if (fits(one))
                hits.push_back(&one);
        }
        return hits;
    };
    auto hits = all([&](const Incident& one) { return matches(one, want); });
    if (hits.empty() && want.leads)
        hits = all([&](const Incident& one) { return isNear(one.onsetStep, *want.first, 3); });
    if (hits.empty() && want.first && want.kind.substr(0, 9) == "nonfinite")
        hits = all([&](const Incident& one) { return isQuoted(one, *want.first); });
    return hits;
}

bool isKnown(const Incident& found, const std::vector<Wanted>& key, std::int64_t start)
{
    if (found.onsetStep <= start + 60)
        return true;
    return std::any_of(key.begin(), key.end(), [&](const Wanted& want) {
        return want.first && *want.first - 10 <= found.onsetStep
            && (!want.last || found.onsetStep <= *want.last + 10);
    });
}

std::vector<Incident> incidentsOf(const fs::path& path)
{
    JobContext job;
    const std::vector<fs::path> paths{path};
    auto dataset = loadPaths(paths, {}, job);
    REQUIRE(dataset);
    std::vector<Incident> incidents;
    for (const RunPtr& run : (*dataset)->runs) {
        auto judgement = judge(*run, (*dataset)->sources, Settings(), job);
        REQUIRE(judgement);
        std::move(judgement->incidents.begin(), judgement->incidents.end(),
            std::back_inserter(incidents));
    }
    return incidents;
}

std::int64_t startOf(const JsonValue& one)
{
    std::optional<std::int64_t> start;
    for (const JsonValue& series : one.find("series")->items) {
        if (const auto step = integerOf(series, "min_step"))
            start = std::min(start.value_or(*step), *step);
    }
    return start.value_or(0);
}

void checkCase(const JsonValue& one, const fs::path& folder, bool isShared)
{
    std::vector<Wanted> key;
    for (const JsonValue& incident : one.find("incidents")->items)
        key.push_back(wantedFrom(incident));
    const auto found = incidentsOf(folder / textOf(one, "load"));
    for (const Wanted& want : key) {
        if (want.kind == "none" || !want.visible)
            continue;
        const auto hits = hitsFor(found, want);
        CAPTURE(want.kind, want.first.value_or(-1));
        CHECK((want.weak || !hits.empty()));
        if (hits.empty() || want.kind == "restart" || want.verdict == "unknown")
            continue;
        CHECK(std::any_of(hits.begin(), hits.end(), [&](const Incident* hit) {
            return hit->verdict == IncidentClass::Unknown || toString(hit->verdict) == want.verdict;
        }));
    }
    for (const Incident& incident : found) {
        CAPTURE(toString(incident.kind), incident.onsetStep, incident.title);
        CHECK((isShared || incident.verdict != IncidentClass::Fault
            || isKnown(incident, key, startOf(one))));
    }
}

}  // namespace

TEST_CASE("every log of the corpus gives the incidents of its key", "[detect][corpus]")
{
    const fs::path folder = corpusLogs();
    const auto text = readWholeFile(folder / "expected.json", kKeyLimit);
    REQUIRE(text);
    const auto key = parseJson(*text);
    REQUIRE(key);
    const auto& cases = key->find("cases")->items;
    std::map<std::string, int> loads;
    for (const JsonValue& one : cases)
        ++loads[textOf(one, "load")];
    for (const JsonValue& one : cases) {
        if (kUndecidable.count(textOf(one, "id")) > 0)
            continue;
        CAPTURE(textOf(one, "id"));
        checkCase(one, folder, loads[textOf(one, "load")] > 1);
    }
    std::cout << "corpus: " << cases.size() - kUndecidable.size() << " of " << cases.size()
              << " logs judged\n";
}
