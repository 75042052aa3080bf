// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/bridge/open_case.h"

#include "core/base/user.h"
#include "core/detect/assess.h"
#include "core/import/artifact.h"
#include "core/import/load.h"

#include <unordered_map>

namespace firstbad::bridge {

namespace {

/// Runs without incidents, so that curves can be shown before the rules have finished.
core::Assessment unjudged(std::shared_ptr<const core::Dataset> dataset)
{
    core::Assessment assessment;
    for (const core::RunPtr& run : dataset->runs)
        assessment.runs.push_back({run, {}});
    assessment.dataset = std::move(dataset);
    return assessment;
}

core::Result<WorkspaceSnapshot> readCase(const std::filesystem::path& folder, core::JobContext& job)
{
    const auto store = core::CaseStore::open(folder, core::CaseAccess::Read);
    if (!store)
        return tl::unexpected(store.error());
    auto dataset = store->loadDataset(job);
    if (!dataset)
        return tl::unexpected(std::move(dataset.error()));
    auto notes = store->annotations();
    if (!notes)
        return tl::unexpected(std::move(notes.error()));
    const auto stored = store->sources();
    if (!stored)
        return tl::unexpected(stored.error());
    std::unordered_map<std::string, std::string> locations;
    for (const core::StoredSource& source : *stored)
        locations[source.info.path] = source.location;
    WorkspaceSnapshot snapshot;
    snapshot.assessment = unjudged(std::move(*dataset));
    snapshot.annotations = std::move(*notes);
    for (const core::SourceInfo& source : snapshot.assessment.dataset->sources) {
        const auto found = locations.find(source.path);
        snapshot.locations.emplace_back(found == locations.end() ? source.path : found->second);
    }
    return snapshot;
}

}  // namespace

core::Result<WorkspaceSnapshot> readPaths(const Paths& paths, core::JobContext& job)
{
    auto snapshot = [&]() -> core::Result<WorkspaceSnapshot> {
        if (paths.size() == 1 && core::isCaseFolder(paths.front()))
            return readCase(paths.front(), job);
        auto dataset = core::loadPaths(paths, {}, job);
        if (!dataset)
            return tl::unexpected(std::move(dataset.error()));
        WorkspaceSnapshot read;
        read.assessment = unjudged(std::move(*dataset));
        for (const core::SourceInfo& source : read.assessment.dataset->sources)
            read.locations.emplace_back(source.path);
        return read;
    }();
    if (snapshot)
        snapshot->attempts = core::makeAttemptList(*snapshot->assessment.dataset);
    return snapshot;
}

core::Result<WorkspaceSnapshot> judged(
    const WorkspaceSnapshot& read, const core::Settings& settings, core::JobContext& job)
{
    job.setStage("judging");
    auto assessment = core::assess(read.assessment.dataset, settings, job);
    if (!assessment)
        return tl::unexpected(std::move(assessment.error()));
    auto incidents = core::makeIncidentList(*assessment, job);
    if (!incidents)
        return tl::unexpected(std::move(incidents.error()));
    WorkspaceSnapshot snapshot = read;
    snapshot.assessment = std::move(*assessment);
    snapshot.incidents = std::move(*incidents);
    snapshot.isJudged = true;
    return snapshot;
}

core::Result<core::AddReport> keepAsCase(const std::filesystem::path& folder, const Paths& paths,
    const core::Settings& settings, core::JobContext& job)
{
    core::ImportOptions options;
    options.hashSources = true;
    const auto dataset = core::loadPaths(paths, options, job);
    if (!dataset)
        return tl::unexpected(dataset.error());
    const auto assessment = core::assess(*dataset, settings, job);
    if (!assessment)
        return tl::unexpected(assessment.error());
    std::vector<core::RunIncidents> incidents;
    for (const core::RunAssessment& run : assessment->runs)
        incidents.push_back({run.run->id.value, run.judgement.incidents});
    auto store = core::isCaseFolder(folder) ? core::CaseStore::open(folder, core::CaseAccess::Write)
                                            : core::CaseStore::create(folder);
    if (!store)
        return tl::unexpected(std::move(store.error()));
    return store->add(**dataset, incidents, job);
}

core::Result<std::vector<core::Annotation>> writeNote(
    const std::filesystem::path& caseFolder, core::Annotation note)
{
    auto store = core::CaseStore::open(caseFolder, core::CaseAccess::Write);
    if (!store)
        return tl::unexpected(std::move(store.error()));
    note.who = core::loginName();
    if (auto added = store->append(note); !added)
        return tl::unexpected(std::move(added.error()));
    return store->annotations();
}

std::vector<std::pair<std::uintmax_t, std::int64_t>> stampsOf(const Paths& files)
{
    std::vector<std::pair<std::uintmax_t, std::int64_t>> stamps;
    for (const std::filesystem::path& file : files) {
        std::error_code failed;
        const auto bytes = std::filesystem::file_size(file, failed);
        const auto changed = std::filesystem::last_write_time(file, failed);
        stamps.emplace_back(failed ? 0 : bytes,
            failed ? 0 : static_cast<std::int64_t>(changed.time_since_epoch().count()));
    }
    return stamps;
}

}  // namespace firstbad::bridge
