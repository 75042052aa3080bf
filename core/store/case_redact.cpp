// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/store/case_redact.h"

#include "core/base/hash.h"
#include "core/store/case_store.h"

#include <algorithm>
#include <fmt/format.h>
#include <map>

namespace firstbad::core {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kLeftOut = "(left out)";
constexpr std::size_t kHashDigits = 8;

/// The same name always becomes the same word, and no name can be read from it.
std::string hashedName(const std::string& name)
{
    return name.empty() || name == "rule" ? name : "user-" + sha256Hex(name).substr(0, kHashDigits);
}

/// Absolute, so that the folder of whoever exports is not stored instead.
std::string redactedPath(const std::string& path)
{
    return path.empty() ? path : "/redacted/" + withoutFolder(path);
}

bool isConfigValue(const LogEvent& event)
{
    return event.kind == EventKind::ConfigValue;
}

RunPtr redacted(const Run& run)
{
    Run copy = run;
    copy.id.value = withoutFolder(copy.id.value);
    for (Attempt& attempt : copy.attempts) {
        if (attempt.resumedFrom)
            attempt.resumedFrom->path = withoutFolder(attempt.resumedFrom->path);
        attempt.why = attempt.why.empty() ? attempt.why : std::string(kLeftOut);
    }
    for (LogEvent& event : copy.events) {
        event.path = isConfigValue(event) ? std::string(kLeftOut) : withoutFolder(event.path);
        if (!isConfigValue(event) && !event.text.empty())
            event.text = kLeftOut;
    }
    return std::make_shared<const Run>(std::move(copy));
}

void redactEvidence(std::vector<Evidence>& pieces)
{
    for (Evidence& evidence : pieces) {
        evidence.source = redactedPath(evidence.source);
        // Sentences of ours quote a source only in quotation marks.
        if (evidence.what.find('"') != std::string::npos)
            evidence.what = kLeftOut;
    }
}

Incident redacted(Incident incident)
{
    incident.run = withoutFolder(incident.run);
    redactEvidence(incident.evidence);
    redactEvidence(incident.against);
    if (incident.title.find('"') != std::string::npos)
        incident.title = std::string(toString(incident.kind));
    return incident;
}

Dataset redacted(const Dataset& dataset)
{
    Dataset copy;
    for (const RunPtr& run : dataset.runs)
        copy.runs.push_back(redacted(*run));
    for (SourceInfo info : dataset.sources) {
        info.path = redactedPath(info.path);
        info.message = info.message.empty() ? info.message : std::string(kLeftOut);
        for (SkippedPart& part : info.skipped)
            part.reason = part.code;
        copy.sources.push_back(std::move(info));
    }
    for (FoundArtifact artifact : dataset.checkpoints) {
        artifact.path = redactedPath(artifact.path);
        copy.checkpoints.push_back(std::move(artifact));
    }
    for (FoundArtifact artifact : dataset.capsules) {
        artifact.path = redactedPath(artifact.path);
        copy.capsules.push_back(std::move(artifact));
    }
    return copy;
}

Result<void> copyRecords(const CaseStore& from, CaseStore& to)
{
    const auto notes = from.annotations();
    const auto statuses = from.statusChanges();
    if (!notes || !statuses)
        return tl::unexpected(notes ? statuses.error() : notes.error());
    for (Annotation note : *notes) {
        note.target = withoutFolder(note.target);
        note.note = kLeftOut;
        note.who = hashedName(note.who);
        if (const auto done = to.append(note); !done)
            return tl::unexpected(done.error());
    }
    for (StatusChange change : *statuses) {
        change.checkpoint = withoutFolder(change.checkpoint);
        change.evidence = change.evidence.empty() ? change.evidence : std::string(kLeftOut);
        change.who = hashedName(change.who);
        if (const auto done = to.append(change); !done)
            return tl::unexpected(done.error());
    }
    return {};
}

}  // namespace

std::string withoutFolder(const std::string& path)
{
    const std::size_t member = std::min(path.find('!'), path.size());
    const std::size_t slash = path.rfind('/', member);
    return slash == std::string::npos ? path : path.substr(slash + 1);
}

Result<void> redactCase(const fs::path& from, const fs::path& folder, JobContext& job)
{
    const auto source = CaseStore::open(from, CaseAccess::Read);
    if (!source)
        return tl::unexpected(source.error());
    const auto dataset = source->loadDataset(job);
    if (!dataset)
        return tl::unexpected(dataset.error());
    const auto incidents = source->storedIncidents();
    if (!incidents)
        return tl::unexpected(incidents.error());
    auto target = CaseStore::create(folder);
    if (!target)
        return tl::unexpected(target.error());
    std::map<std::string, RunIncidents> byRun;
    for (const Incident& incident : *incidents) {
        Incident copy = redacted(incident);
        RunIncidents& run = byRun[copy.run];
        run.run = copy.run;
        run.incidents.push_back(std::move(copy));
    }
    std::vector<RunIncidents> judged;
    for (auto& [name, run] : byRun)
        judged.push_back(std::move(run));
    const auto added = target->add(redacted(**dataset), judged, job);
    if (!added)
        return tl::unexpected(added.error());
    const auto copied = copyRecords(*source, *target);
    return copied ? target->settle() : copied;
}

}  // namespace firstbad::core
