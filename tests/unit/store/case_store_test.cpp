// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/store/case_store.h"
#include "tests/support/catch.h"
#include "tests/unit/store/case_fixture.h"

#include <limits>

using namespace firstbad::core;
using namespace firstbad::test;

namespace {

constexpr double kInf = std::numeric_limits<double>::infinity();

double fromBits(std::uint64_t bits)
{
    return std::bit_cast<double>(bits);
}

CaseStore makeCase(const TemporaryFolder& folder)
{
    auto made = CaseStore::create(folder.path() / "case");
    REQUIRE(made);
    return std::move(*made);
}

AddReport addTo(CaseStore& store, const Dataset& dataset)
{
    JobContext job;
    auto report = store.add(dataset, {}, job);
    if (!report)
        FAIL(report.error().message);
    return *report;
}

std::shared_ptr<const Dataset> loadFrom(const CaseStore& store)
{
    JobContext job;
    auto dataset = store.loadDataset(job);
    REQUIRE(dataset);
    return *dataset;
}

void requireSound(const CaseStore& store)
{
    JobContext job;
    const auto check = store.check(job);
    REQUIRE(check);
    for (const Diagnostic& problem : check->problems)
        FAIL_CHECK(problem.message);
    CHECK(check->unnamedFiles.empty());
}

/// Every kind of value a double can be, NaN payloads and negative zero among them.
Column oddColumn()
{
    Column column;
    const std::vector<double> values{0.0, -0.0, 1.5, kInf, -kInf, fromBits(0x7FF8'0000'0000'0000U),
        fromBits(0xFFF8'0000'0000'1234U), fromBits(0x7FF0'0000'0000'0001U),
        std::numeric_limits<double>::denorm_min(), std::numeric_limits<double>::max(), -1e-300};
    for (std::size_t i = 0; i < values.size(); ++i) {
        column.steps.push_back(static_cast<std::int64_t>(i * 10) - 20);
        column.values.push_back(values[i]);
        column.times.push_back(i % 2 == 0 ? kNoTime : 1.6e9 + static_cast<double>(i));
        column.lines.push_back(static_cast<std::uint32_t>(i));
    }
    column.missingSteps = {5, 7, std::numeric_limits<std::int64_t>::min()};
    return column;
}

}  // namespace

TEST_CASE("a case gives columns back bit for bit", "[core][store]")
{
    const TemporaryFolder folder;
    const auto log = folder.write("a.log", "some text");
    const Dataset dataset = datasetOf(log, oddColumn());
    {
        CaseStore store = makeCase(folder);
        const AddReport report = addTo(store, dataset);
        CHECK(report.anythingNew);
        CHECK(report.newRuns == 1);
        CHECK(report.newPoints == 11);
    }
    const auto store = CaseStore::open(folder.path() / "case", CaseAccess::Read);
    REQUIRE(store);
    const auto loaded = loadFrom(*store);
    REQUIRE(loaded->runs.size() == 1);
    const Run& run = *loaded->runs[0];
    CHECK(run.id.value == "run");
    REQUIRE(run.series.size() == 1);
    REQUIRE(run.series[0].column(0) != nullptr);
    CHECK(sameBits(*run.series[0].column(0), *dataset.runs[0]->series[0].column(0)));
    requireSound(*store);
}

TEST_CASE("attempts, events, traits and sources come back as they were added", "[core][store]")
{
    const TemporaryFolder folder;
    Dataset dataset = datasetOf(folder.write("a.log", "x"), oddColumn());
    auto run = std::make_shared<Run>(*dataset.runs[0]);
    run->attempts.resize(2);
    run->series[0].columns.resize(2);
    run->series[0].rank = RankId{3};
    run->series[0].axis = StepAxis::Tokens;
    run->series[0].unit = "s";
    Attempt& attempt = run->attempts[1];
    attempt.id.value = "second";
    attempt.started = -0.0;
    attempt.endedHow = AttemptEnd::Signal;
    attempt.resumedFrom = ResumePoint{400, "ckpt/400"};
    attempt.parent = 0;
    attempt.why = "load line";
    attempt.givenUpFrom = 420;
    LogEvent event;
    event.kind = EventKind::ScaleChange;
    event.step = 12;
    event.rank = 1;
    event.time = fromBits(0x7FF8'0000'0000'0007U);
    event.text = "scale \xE2\x86\x93";
    event.before = 65536.0;
    event.after = kInf;
    event.line = 77;
    event.offset = 1234567890123;
    run->events.push_back(event);
    run->eventAttempt.push_back(1);
    run->traits.dialect = "megatron";
    run->traits.interval = 100;
    run->traits.precision = "fp16";
    run->traits.lossMayBeFiltered = true;
    dataset.runs[0] = run;
    dataset.sources[0].skipped.push_back({"torn-tail", "ends inside a record", 9, 1, 2, true});
    dataset.sources[0].encoding = "utf-16le";

    CaseStore store = makeCase(folder);
    addTo(store, dataset);
    const auto loaded = loadFrom(store);

    const Run& back = *loaded->runs.at(0);
    REQUIRE(back.attempts.size() == 2);
    const Attempt& second = back.attempts[1];
    CHECK(second.id.value == "second");
    CHECK(std::bit_cast<std::uint64_t>(second.started.value()) == 1ULL << 63U);
    CHECK(second.endedHow == AttemptEnd::Signal);
    CHECK(second.resumedFrom.value().path == "ckpt/400");
    CHECK(second.parent == 0U);
    CHECK(second.givenUpFrom == 420);
    CHECK(back.series.at(0).rank == RankId{3});
    CHECK(back.series[0].axis == StepAxis::Tokens);
    CHECK(back.series[0].column(1) == nullptr);
    const LogEvent& read = back.events.at(0);
    CHECK(read.kind == EventKind::ScaleChange);
    CHECK(std::bit_cast<std::uint64_t>(read.time.value()) == 0x7FF8'0000'0000'0007U);
    CHECK(read.text == event.text);
    CHECK(classify(read.after.value()) == ValueKind::PlusInfinity);
    CHECK(read.offset == 1234567890123U);
    CHECK(back.eventAttempt.at(0) == 1);
    CHECK(back.traits.precision == "fp16");
    CHECK(back.traits.lossMayBeFiltered);
    CHECK(loaded->sources.at(0).skipped.at(0).mayBeGrowing);
    CHECK(loaded->sources[0].encoding == "utf-16le");
}

TEST_CASE("adding the same again writes nothing", "[core][store]")
{
    const TemporaryFolder folder;
    CaseStore store = makeCase(folder);
    const Dataset dataset = datasetOf(folder.write("a.log", "x"), oddColumn());
    addTo(store, dataset);
    JobContext job;
    const auto before = store.check(job);
    const AddReport again = addTo(store, dataset);
    CHECK_FALSE(again.anythingNew);
    CHECK(again.sources.at(0).change == SourceChange::Unchanged);
    CHECK(again.newPoints == 0);
    const auto after = store.check(job);
    REQUIRE(before);
    REQUIRE(after);
    CHECK(before->rows == after->rows);
    CHECK(before->segmentFiles == after->segmentFiles);
}

TEST_CASE("a log that grew adds only its new points", "[core][store]")
{
    const TemporaryFolder folder;
    CaseStore store = makeCase(folder);
    addTo(store, datasetOf(folder.write("a.log", "one\n"), rampColumn(1, 101)));
    const auto log = folder.write("a.log", "one\ntwo\n");
    Column grown = rampColumn(1, 131);
    grown.times.assign(130, kNoTime);
    grown.times[120] = 1.6e9;  // the first time of the column appears in its new part
    const AddReport report = addTo(store, datasetOf(log, grown));
    CHECK(report.sources.at(0).change == SourceChange::Grew);
    CHECK(report.newPoints == 30);
    CHECK(report.grownRuns == 1);
    CHECK(report.replacedRuns == 0);
    grown.sources.push_back({0, 0});
    const auto loaded = loadFrom(store);
    REQUIRE(loaded->runs.size() == 1);
    CHECK(sameBits(*loaded->runs[0]->series.at(0).column(0), grown));
    CHECK(store.sources()->at(0).version == 2);
    requireSound(store);
}

TEST_CASE("a log whose known part changed or shrank is a new version and said so", "[core][store]")
{
    const TemporaryFolder folder;
    CaseStore store = makeCase(folder);
    addTo(store, datasetOf(folder.write("a.log", "one two three\n"), rampColumn(1, 101)));
    const bool shrinks = GENERATE(true, false);
    const std::string text = shrinks ? "one\n" : "ONE two three and more\n";
    const Column other = rampColumn(2, shrinks ? 52 : 202);
    const AddReport report = addTo(store, datasetOf(folder.write("a.log", text), other));
    CHECK(report.sources.at(0).change == (shrinks ? SourceChange::Shrank : SourceChange::Changed));
    CHECK(report.replacedRuns == 1);
    REQUIRE(report.diagnostics.size() == 1);
    CHECK_THAT(report.diagnostics[0].message, Catch::Matchers::ContainsSubstring("a.log"));
    const auto loaded = loadFrom(store);
    REQUIRE(loaded->runs.size() == 1);
    CHECK(loaded->runs[0]->series.at(0).column(0)->steps == other.steps);
    requireSound(store);
}

TEST_CASE(
    "runs of one name from other files lie side by side until added together", "[core][store]")
{
    const TemporaryFolder folder;
    CaseStore store = makeCase(folder);
    const auto first = folder.write("a.log", "a");
    const auto second = folder.write("b.log", "b");
    addTo(store, datasetOf(first, rampColumn(1, 11)));
    const AddReport report = addTo(store, datasetOf(second, rampColumn(11, 21)));
    CHECK(report.diagnostics.at(0).code == "run-beside");
    CHECK(loadFrom(store)->runs.at(1)->id.value == "run#2");

    Column both = rampColumn(1, 21);
    both.sources = {{0, 0}, {10, 1}};
    Dataset together = datasetOf(first, both);
    together.sources[0].records = 10;
    together.sources.push_back(datasetOf(second, {}).sources[0]);
    addTo(store, together);
    const auto loaded = loadFrom(store);
    REQUIRE(loaded->runs.size() == 1);
    CHECK(loaded->runs[0]->series.at(0).points() == 20);
    const std::vector<std::filesystem::path> named{first};
    const auto related = store.pathsToReadWith(named);
    REQUIRE(related);
    CHECK(related->size() == 2);

    // Part of a run, unchanged, alone: nothing is lost and nothing is new.
    CHECK_FALSE(addTo(store, datasetOf(first, rampColumn(1, 11))).anythingNew);
    CHECK(loadFrom(store)->runs.at(0)->series.at(0).points() == 20);
}

TEST_CASE("incidents come back with every bit of their evidence", "[core][store]")
{
    const TemporaryFolder folder;
    CaseStore store = makeCase(folder);
    const Dataset dataset = datasetOf(folder.write("a.log", "x"), oddColumn());
    Incident incident;
    incident.id = "1";
    incident.kind = IncidentKind::ScaleCollapse;
    incident.verdict = IncidentClass::Fault;
    incident.severity = Severity::Error;
    incident.confidence = 0.9;
    incident.run = "run";
    incident.attempt = "1";
    incident.onsetStep = 33710;
    incident.recovered = false;
    incident.restoreBeforeStep = 33600;
    incident.evidence.push_back(
        {"loss is NaN", "loss", 33740, fromBits(0x7FF8'0000'0000'0042U), "a.log", 12});
    incident.against.push_back({"minus zero", "loss", 1, -0.0, "a.log", {}});
    incident.unknown.push_back({"which rank?", "a ledger"});
    incident.firstBad = Locus{33740, {}, 2, "loss", "", "", "", true};
    incident.related = {"2"};
    const std::vector<RunIncidents> judged{{"run", {incident}}};
    JobContext job;
    REQUIRE(store.add(dataset, judged, job));
    CHECK_FALSE(store.add(dataset, judged, job)->anythingNew);

    const auto stored = store.storedIncidents();
    REQUIRE(stored);
    REQUIRE(stored->size() == 1);
    const Incident& back = stored->front();
    CHECK(back.kind == IncidentKind::ScaleCollapse);
    CHECK(back.verdict == IncidentClass::Fault);
    CHECK(back.severity == Severity::Error);
    CHECK(back.confidence == 0.9);
    CHECK(back.recovered == false);
    CHECK(back.restoreBeforeStep == 33600);
    CHECK(bitsOf({*back.evidence.at(0).value}).at(0) == 0x7FF8'0000'0000'0042U);
    CHECK(bitsOf({*back.against.at(0).value}).at(0) == 1ULL << 63U);
    CHECK(back.evidence[0].line == 12U);
    CHECK(back.firstBad.value().rank == 2);
    CHECK(back.unknown.at(0).settleBy == "a ledger");

    const std::vector<RunIncidents> none{{"run", {}}};
    CHECK(store.add(dataset, none, job)->anythingNew);
    CHECK(store.storedIncidents()->empty());
    requireSound(store);
}

TEST_CASE("records are appended and annotations are withdrawn by a new row", "[core][store]")
{
    const TemporaryFolder folder;
    CaseStore store = makeCase(folder);
    Annotation note;
    note.target = "1:100-200";
    note.note = "bad data";
    const auto first = store.append(note);
    REQUIRE(first);
    Annotation back;
    back.withdraws = *first;
    REQUIRE(store.append(back));
    CHECK(store.annotations()->at(0).withdrawnBy == 2);
    back.withdraws = 99;
    CHECK(store.append(back).error().code == ErrorCode::NotFound);
    REQUIRE(store.append(BisectEntry{0, 0.0, "c.capsule", 1, "block 4", "bad", "program", ""}));
    CHECK_FALSE(store.append(BisectEntry{0, 0.0, "c.capsule", 1, "block 4", "good", "person", ""}));
    CHECK(store.bisectLog("c.capsule")->size() == 1);
    JobRecord slow;
    slow.kind = "add";
    slow.seconds = kInf;
    REQUIRE(store.append(slow));
    REQUIRE(store.append(StatusChange{0, 0.0, "ckpt", "", "suspect", "not scanned", "", "rule"}));
    CHECK(store.statusChanges()->at(0).after == "suspect");
    requireSound(store);

    const auto reader = CaseStore::open(folder.path() / "case", CaseAccess::Read);
    REQUIRE(reader);
    CHECK(reader->annotations()->size() == 2);
}

TEST_CASE("a case is found from a folder inside it, beside it or above it", "[core][store]")
{
    const TemporaryFolder folder;
    CHECK_FALSE(findCase(folder.path()));
    makeCase(folder);
    const auto expected = std::filesystem::canonical(folder.path() / "case");
    CHECK(findCase(folder.path() / "case" / "series") == expected);
    CHECK(findCase(folder.path()) == expected);
    std::filesystem::create_directories(folder.path() / "logs" / "deep");
    CHECK(findCase(folder.path() / "logs" / "deep") == expected);
}
