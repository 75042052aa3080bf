// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/incident_example.h"

#include <cmath>
#include <limits>

namespace firstbad::test {
namespace {

using namespace core;

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
constexpr std::int64_t kFirst = 33693;
constexpr std::int64_t kOnset = 33708;
constexpr std::int64_t kLeaves = 33740;
constexpr std::int64_t kLast = 33812;

bool isBad(std::int64_t step)
{
    return (step >= kOnset && step <= kOnset + 8) || step >= 33797;
}

double lossAt(std::int64_t step)
{
    const auto x = static_cast<double>(step);
    const double level = 2.19 + 0.05 * std::sin(1.7 * x);
    return step < kLeaves ? level : level + 5.6 * (1.0 - std::exp((kLeaves - x) / 20.0));
}

double normAt(std::int64_t step)
{
    const auto x = static_cast<double>(step);
    const double level = 0.3 + 0.1 * std::sin(2.0 * x);
    return step < kLeaves - 4 ? level : level + std::min((x - kLeaves + 4.0) * 0.7, 18.0);
}

double scaleAt(std::int64_t step)
{
    return std::exp2(16.0 - static_cast<double>(std::clamp<std::int64_t>(step - kOnset + 1, 0, 9)));
}

Series seriesOf(const char* name, Quantity quantity, double (*valueAt)(std::int64_t), bool goesBad)
{
    auto column = std::make_shared<Column>();
    for (std::int64_t step = kFirst; step <= kLast; ++step) {
        column->steps.push_back(step);
        column->values.push_back(goesBad && isBad(step) ? kNan : valueAt(step));
        column->lines.push_back(static_cast<std::uint32_t>(step + 8169));
    }
    column->sources = {{0, 0}};
    Series series;
    series.name = name;
    series.quantity = quantity;
    series.columns = {nullptr, column};
    return series;
}

std::shared_ptr<const Run> exampleRun()
{
    auto run = std::make_shared<Run>();
    run->id.value = "glm-130b";
    run->traits.dialect = "megatron";
    Attempt first;
    first.id.value = "6";
    first.firstStep = 30000;
    first.lastStep = 33760;
    first.endedHow = AttemptEnd::Exception;
    Attempt second;
    second.id.value = "7";
    second.firstStep = kFirst;
    second.lastStep = kLast;
    second.endedHow = AttemptEnd::Signal;
    second.parent = 0;
    second.resumedFrom = ResumePoint{33692, "ckpt/33692"};
    run->attempts = {first, second};
    run->series = {seriesOf("lm loss", Quantity::Loss, lossAt, true),
        seriesOf("loss scale", Quantity::LossScale, scaleAt, false),
        seriesOf("grad norm", Quantity::GradNorm, normAt, true)};
    LogEvent save;
    save.kind = EventKind::Save;
    save.step = 33700;
    run->events = {save};
    run->eventAttempt = {1};
    return run;
}

Incident collapse()
{
    Incident incident;
    incident.id = "0";
    incident.kind = IncidentKind::ScaleCollapse;
    incident.verdict = IncidentClass::Fault;
    incident.severity = Severity::Error;
    incident.confidence = 0.9;
    incident.title = "scale 65,536 → 128 in 9 skips in a row (33,708–33,716), no hold";
    incident.run = "glm-130b";
    incident.attempt = "7";
    incident.onsetStep = kOnset;
    incident.peakStep = 33790;
    incident.recovered = false;
    incident.evidence = {{"9 skips in a row, no hold; probes here held after 1", "loss scale",
                             kOnset, 32768.0, "run/train.log", 41877},
        {"loss z = 12 at 33,740, 32 steps after the scale", "lm loss", kLeaves, 2.46,
            "run/train.log", 41909}};
    incident.against = {{"the loss stayed at its level for 32 steps", "lm loss", {}, {}, "", {}}};
    incident.unknown = {{"which layer overflowed first", "a capsule of step 33,708"}};
    Locus locus;
    locus.step = kOnset;
    locus.lane = "grad";
    locus.rank = 462;
    incident.firstBad = locus;
    incident.restoreBeforeStep = 33600;
    return incident;
}

Incident other(IncidentKind kind, IncidentClass verdict, std::int64_t step, const char* title)
{
    Incident incident;
    incident.id = std::to_string(step);
    incident.kind = kind;
    incident.verdict = verdict;
    incident.confidence = 0.5;
    incident.title = title;
    incident.run = "glm-130b";
    incident.attempt = "7";
    incident.onsetStep = step;
    return incident;
}

Audit exampleAudit()
{
    Audit audit;
    audit.run = "glm-130b";
    audit.iterations = 33812;
    audit.updates = 33787;
    audit.skippedTotal = 25;
    audit.skippedRuns = {{33708, 33716, 9}, {33797, 33812, 16}};
    audit.scalePolicy = "megatron";
    audit.scaleAlignment = "after";
    audit.firstViolation = PolicyViolation{33717, 128.0, 64.0};
    audit.masked = {{"lm loss", "the field is left out when the loss is not finite"}};
    audit.statements
        = {{"skip-run", Severity::Error, "9 updates in a row were skipped", {33708, 33709}},
            {"step-gap", Severity::Info, "one step was not logged", {33750}}};
    return audit;
}

}  // namespace

Assessment incidentExample()
{
    auto dataset = std::make_shared<Dataset>();
    dataset->runs = {exampleRun()};
    SourceInfo log;
    log.path = "run/train.log";
    log.format = "megatron";
    log.records = 120;
    SkippedPart torn{"torn-tail", "The last line is cut.", 9000, 40, 41990, true};
    SkippedPart spliced{"spliced-line", "Two ranks wrote into one line.", 5000, 80, 41900, false};
    log.skipped = {spliced, torn};
    dataset->sources = {log};
    dataset->checkpoints = {{"ckpt/a7/iter_0033600", "checkpoint", "megatron", 1820000},
        {"ckpt/a7/iter_0033800", "checkpoint", "megatron", 1820000}};
    Assessment assessment;
    Judgement judgement;
    judgement.incidents = {collapse(),
        other(
            IncidentKind::GradSpike, IncidentClass::Unknown, 30214, "0.31 → 4.0, back in 5 steps"),
        other(IncidentKind::ThroughputDrop, IncidentClass::Unknown, 31870, "62 → 81 s a step"),
        other(IncidentKind::ScaleProbe, IncidentClass::Benign, 30100, "one skip"),
        other(IncidentKind::ScaleProbe, IncidentClass::Benign, 32100, "one skip"),
        other(IncidentKind::Restart, IncidentClass::Benign, 33693, "loaded 33,692")};
    judgement.audit = exampleAudit();
    assessment.runs = {{dataset->runs[0], judgement}};
    assessment.dataset = dataset;
    numberIncidents(assessment.runs);
    return assessment;
}

}  // namespace firstbad::test
