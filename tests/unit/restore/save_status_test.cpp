// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/restore/incident_margin.h"
#include "core/restore/ledger_saves.h"
#include "core/restore/save_record.h"
#include "tests/support/catch.h"
#include "tests/support/temp_folder.h"

#include <memory>

using namespace firstbad::core;
using firstbad::test::TempFolder;

namespace {

SaveRecord record(
    const std::string& path, std::int64_t step, ScanVerdict verdict = ScanVerdict::Finite)
{
    SaveRecord one;
    one.place.shown = path;
    one.step = step;
    one.scan.verdict = verdict;
    one.scan.reason = "as planted";
    return one;
}

SaveRecord decided(SaveRecord one)
{
    decideStatus(one);
    return one;
}

/// One run of steps 1..1000 in one attempt, with one fault.
Assessment withFault(Incident incident)
{
    auto run = std::make_shared<Run>();
    Attempt attempt;
    attempt.id.value = "1";
    attempt.firstStep = 1;
    attempt.lastStep = 1000;
    run->attempts.push_back(attempt);
    incident.attempt = "1";
    incident.kind = IncidentKind::LossSpike;
    incident.verdict = IncidentClass::Fault;
    Assessment assessment;
    assessment.runs.push_back({run, {}});
    assessment.runs[0].judgement.incidents.push_back(incident);
    return assessment;
}

}  // namespace

TEST_CASE("Status follows verdict, warnings and margins, the worst first", "[restore]")
{
    CHECK(decided(record("a", 1)).status == SaveStatus::Committed);
    CHECK(decided(record("a", 1, ScanVerdict::Nonfinite)).status == SaveStatus::Quarantined);
    CHECK(decided(record("a", 1, ScanVerdict::Damaged)).status == SaveStatus::Quarantined);
    CHECK(decided(record("a", 1, ScanVerdict::Unsupported)).status == SaveStatus::Suspect);
    SaveRecord warned = record("a", 1);
    warned.warnings.emplace_back();
    warned.warnings.back().code = "unchanged";
    CHECK(decided(warned).status == SaveStatus::Committed);
    warned.warnings.back().code = "zero-scale";
    CHECK(decided(warned).status == SaveStatus::Suspect);
    SaveRecord inside = record("a", 1);
    inside.margin = "8 steps before the onset";
    CHECK(decided(inside).status == SaveStatus::Suspect);
}

TEST_CASE("A person opens a suspect, and a bad file only knowing that it is bad", "[restore]")
{
    SaveRecord suspect = record("a", 1);
    suspect.margin = "in a margin";
    suspect.person = PersonWord{SaveStatus::Committed, "looked at it", "ada", false};
    CHECK(decided(suspect).status == SaveStatus::Committed);
    SaveRecord bad = record("a", 1, ScanVerdict::Nonfinite);
    bad.person = suspect.person;
    CHECK(decided(bad).status == SaveStatus::Quarantined);
    bad.person->isOverride = true;
    CHECK(decided(bad).status == SaveStatus::Committed);
    CHECK(decided(bad).because.size() == 2);
    SaveRecord closed = record("a", 1);
    closed.person = PersonWord{SaveStatus::Quarantined, "bad data", "ada", false};
    CHECK(decided(closed).status == SaveStatus::Quarantined);
}

TEST_CASE("The newest committed save is picked, by step and not by name", "[restore]")
{
    const std::vector<SaveRecord> records{decided(record("z", 900)), decided(record("a", 1000)),
        decided(record("b", 1100, ScanVerdict::Nonfinite)), decided(record("c", 50))};
    const PickResult result = pickSave(records);
    REQUIRE(result.picked);
    CHECK(records[*result.picked].place.shown == "a");
    CHECK(result.rejected == std::vector<std::size_t>{2});
    CHECK_FALSE(pickSave({records[2]}).picked);
}

TEST_CASE("Saves inside the margin of a fault, and after it, are closed", "[restore]")
{
    Incident incident;
    incident.onsetStep = 500;
    incident.restoreBeforeStep = 400;
    const Assessment assessment = withFault(incident);
    const auto marginAt = [&](std::int64_t step) {
        SaveRecord one = record("a", step);
        placeAmongIncidents(one, assessment, 100);
        return one.margin;
    };
    CHECK(marginAt(400).empty());
    CHECK_THAT(marginAt(401), Catch::Contains("99 steps before"));
    CHECK_THAT(marginAt(500), Catch::Contains("after the onset"));
    CHECK_FALSE(marginAt(1000).empty());
}

TEST_CASE("After a recovered fault a save counts again once enough steps were clean", "[restore]")
{
    Incident incident;
    incident.onsetStep = 500;
    incident.endStep = 520;
    incident.recovered = true;
    const Assessment assessment = withFault(incident);
    for (const auto& [step, open] : {std::pair{620, false}, {621, true}, {499, true}}) {
        SaveRecord one = record("a", step);
        placeAmongIncidents(one, assessment, 100);
        CHECK(one.margin.empty() == open);
    }
}

TEST_CASE("A save that was resumed from before a fault does not inherit it", "[restore]")
{
    Incident incident;
    incident.onsetStep = 500;
    Assessment assessment = withFault(incident);
    auto run = std::make_shared<Run>(*assessment.runs[0].run);
    Attempt second;
    second.id.value = "2";
    second.parent = 0;
    second.resumedFrom = ResumePoint{450, ""};
    second.firstStep = 451;
    second.lastStep = 2000;
    run->attempts.push_back(second);
    assessment.runs[0].run = run;
    SaveRecord one = record("a", 800);
    placeAmongIncidents(one, assessment, 100);
    CHECK(one.attempt == "2");
    CHECK(one.margin.empty());
}

TEST_CASE("Ledgers tell steps, parents, hashes and saves that were made to look at a fault")
{
    TempFolder folder;
    const auto ledger = folder.write("rank0.ledger.jsonl",
        R"({"kind":"header","firstbad_ledger":1,"run_id":"r"}
{"kind":"checkpoint","step":100,"path":"iter_100","parent":null,"files":[{"path":"iter_100/m.pt","bytes":5,"sha256":"ab"}]}
{"kind":"note","text":"result validation failed at iteration 120, state will_rerun_from_checkpoint"}
{"kind":"checkpoint","step":120,"path":"iter_120","parent":"iter_100","files":[]}
{"kind":"checkpoint","step":
)");
    JobContext job;
    const auto saves = readLedgerSaves({ledger}, job);
    REQUIRE(saves.size() == 2);
    CHECK(saves[0].step == 100);
    CHECK(saves[0].forensic.empty());
    REQUIRE(saves[0].files.size() == 1);
    CHECK(saves[0].files[0].bytes == 5U);
    CHECK(saves[1].parent == "iter_100");
    CHECK_FALSE(saves[1].forensic.empty());
    CHECK(matchSave(saves, "/data/run/iter_120") == &saves[1]);
    CHECK(matchSave(saves, "/data/run/xiter_120") == nullptr);
}

TEST_CASE("A path ends in another only at a whole name", "[restore]")
{
    CHECK(isEndOfPath("run/train/checkpoint-5", "train/checkpoint-5"));
    CHECK(isEndOfPath("run/train/checkpoint-5/", "checkpoint-5"));
    CHECK_FALSE(isEndOfPath("run/train/checkpoint-5", "other/checkpoint-5"));
    CHECK_FALSE(isEndOfPath("run/xcheckpoint-5", "checkpoint-5"));
    CHECK_FALSE(isEndOfPath("run", ""));
}
