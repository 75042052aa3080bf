// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/present/look.h"

#include "core/base/text.h"

#include <algorithm>
#include <fmt/format.h>

namespace firstbad::core {
namespace {

/// The worst fault that has a place on the step axis of a save.
const Incident* worstFault(const Assessment& assessment)
{
    for (const PlacedIncident& placed : incidentsInOrder(assessment)) {
        if (placed.incident->verdict == IncidentClass::Fault)
            return placed.incident;
    }
    return nullptr;
}

std::string becauseOf(const std::optional<std::int64_t>& step, const Incident* fault)
{
    if (!step || fault == nullptr)
        return "not scanned";
    const std::int64_t onset = fault->onsetStep;
    if (*step >= onset)
        return fmt::format("at or after incident {}, not scanned", fault->id);
    const bool inMargin = fault->restoreBeforeStep && *step > *fault->restoreBeforeStep;
    return fmt::format("{} steps before incident {}{}, not scanned", groupedInteger(onset - *step),
        fault->id, inMargin ? ", in its margin" : "");
}

std::vector<FoundSave> findSaves(const Assessment& assessment)
{
    const Incident* fault = worstFault(assessment);
    std::vector<FoundSave> saves;
    for (const FoundArtifact& artifact : assessment.dataset->checkpoints) {
        FoundSave save{&artifact, stepInName(artifact.path), {}};
        save.because = becauseOf(save.step, fault);
        saves.push_back(std::move(save));
    }
    std::stable_sort(saves.begin(), saves.end(), [](const FoundSave& a, const FoundSave& b) {
        return a.step.value_or(-1) > b.step.value_or(-1);
    });
    return saves;
}

std::string joinedPaths(const std::vector<std::string>& paths)
{
    std::string joined;
    for (const std::string& path : paths)
        joined += " " + shellQuoted(path);
    return joined;
}

bool auditHasWarnings(const Assessment& assessment)
{
    return std::any_of(
        assessment.runs.begin(), assessment.runs.end(), [](const RunAssessment& run) {
            const auto& statements = run.judgement.audit.statements;
            return std::any_of(
                statements.begin(), statements.end(), [](const AuditStatement& statement) {
                    return statement.severity != Severity::Info;
                });
        });
}

std::vector<NextCommand> proposeNext(
    const Assessment& assessment, const std::vector<std::string>& paths)
{
    std::vector<NextCommand> next;
    const std::string where = joinedPaths(paths);
    const auto incidents = incidentsInOrder(assessment);
    const bool worthALook
        = !incidents.empty() && incidents.front().incident->verdict != IncidentClass::Benign;
    if (worthALook)
        next.push_back(
            {fmt::format("firstbad incidents {}{}", incidents.front().incident->id, where),
                "plots, evidence, what is unknown"});
    if (auditHasWarnings(assessment))
        next.push_back({"firstbad audit" + where, "skips, scale, masked values"});
    if (!assessment.dataset->runs.empty() && !worthALook)
        next.push_back({"firstbad series" + where, "every series, with what is not finite"});
    if (!assessment.dataset->checkpoints.empty())
        next.push_back({"firstbad checkpoint pick" + where, "which save may be restored"});
    if (worthALook && !where.empty())
        next.push_back({fmt::format("firstbad init case && firstbad -C case add{}", where),
            "keep it, with hashes"});
    return next;
}

}  // namespace

std::string shellQuoted(const std::string& path)
{
    const bool plain = !path.empty() && std::all_of(path.begin(), path.end(), [](char c) {
        return isAsciiAlpha(c) || isAsciiDigit(c) || static_cast<unsigned char>(c) >= 0x80
            || std::string_view("/._-+=:,@%").find(c) != std::string_view::npos;
    });
    if (plain && path[0] != '-')
        return path;
    std::string quoted = path.empty() || path[0] != '-' ? "'" : "'./";
    for (const char c : path)
        quoted += c == '\'' ? std::string("'\\''") : std::string(1, c);
    return quoted + "'";
}

bool isDamaged(const SourceInfo& source) noexcept
{
    if (source.state != SourceState::Read && source.state != SourceState::Ignored)
        return true;
    return std::any_of(source.skipped.begin(), source.skipped.end(),
        [](const SkippedPart& part) { return !part.mayBeGrowing; });
}

bool holdsDamage(const Dataset& dataset) noexcept
{
    const bool inSource = std::any_of(dataset.sources.begin(), dataset.sources.end(), isDamaged);
    return inSource
        || std::any_of(dataset.diagnostics.begin(), dataset.diagnostics.end(),
            [](const Diagnostic& diagnostic) { return diagnostic.severity == Severity::Error; });
}

bool holdsFault(const Assessment& assessment) noexcept
{
    return std::any_of(
        assessment.runs.begin(), assessment.runs.end(), [](const RunAssessment& run) {
            const auto& incidents = run.judgement.incidents;
            return std::any_of(incidents.begin(), incidents.end(),
                [](const Incident& incident) { return incident.verdict == IncidentClass::Fault; });
        });
}

Look makeLook(Assessment assessment, const std::vector<std::string>& paths)
{
    Look look;
    look.comparisons = compareRuns(assessment.dataset->runs);
    look.saves = findSaves(assessment);
    look.next = proposeNext(assessment, paths);
    look.assessment = std::move(assessment);
    return look;
}

}  // namespace firstbad::core
