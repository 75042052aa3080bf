// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/saves_input.h"

#include "app/cli/case_access.h"
#include "core/detect/assess.h"
#include "core/import/load.h"

#include <algorithm>
#include <filesystem>
#include <fmt/format.h>
#include <map>

namespace firstbad::cli {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kByRule = "rule";
constexpr std::string_view kOverride = "override";

core::Result<std::vector<core::CheckpointPlace>> findPlaces(
    const SavesQuery& query, core::Diagnostics& diagnostics, core::JobContext& job)
{
    std::vector<core::CheckpointPlace> places;
    if (query.asOne) {
        for (const std::string& path : query.paths) {
            auto place = core::findOneCheckpoint(path, job);
            if (!place)
                return tl::unexpected(std::move(place.error()));
            places.push_back(std::move(*place));
        }
        return places;
    }
    auto found = core::findCheckpoints(query.paths, job);
    if (!found)
        return tl::unexpected(std::move(found.error()));
    diagnostics = std::move(found->diagnostics);
    return std::move(found->places);
}

/// Logs below the paths and the ledgers beside them; nullopt when there is nothing to judge.
std::optional<core::Assessment> assessLogs(const std::vector<std::string>& paths,
    const std::vector<fs::path>& ledgers, core::JobContext& job)
{
    std::vector<fs::path> sources(ledgers);
    for (const std::string& path : paths) {
        std::error_code ignored;
        if (fs::is_directory(path, ignored))
            sources.emplace_back(path);
    }
    if (sources.empty())
        return std::nullopt;
    auto dataset = core::loadPaths(sources, {}, job);
    if (!dataset || (*dataset)->runs.empty())
        return std::nullopt;
    auto assessment = core::assess(std::move(*dataset), core::Settings(), job);
    return assessment ? std::optional(std::move(*assessment)) : std::nullopt;
}

std::vector<fs::path> ledgersNear(const std::vector<std::string>& paths)
{
    std::vector<fs::path> ledgers;
    for (const std::string& path : paths) {
        for (fs::path& ledger : core::findLedgers(path)) {
            if (std::find(ledgers.begin(), ledgers.end(), ledger) == ledgers.end())
                ledgers.push_back(std::move(ledger));
        }
    }
    return ledgers;
}

std::vector<fs::path> ledgersOf(const core::Dataset& dataset)
{
    std::vector<fs::path> ledgers;
    for (const core::SourceInfo& source : dataset.sources) {
        if (source.path.ends_with(".ledger.jsonl"))
            ledgers.emplace_back(source.path);
    }
    return ledgers;
}

/// The last word of a person on each checkpoint.
std::map<std::string, core::PersonWord> wordsOf(const std::vector<core::StatusChange>& changes)
{
    std::map<std::string, core::PersonWord> words;
    for (const core::StatusChange& change : changes) {
        const auto status = core::saveStatusFrom(change.after);
        if (change.who != kByRule && status)
            words[change.checkpoint]
                = {*status, change.reason, change.who, change.evidence.starts_with(kOverride)};
    }
    return words;
}

std::string evidenceOf(const core::SaveRecord& record)
{
    std::string evidence = fmt::format("verdict {}", toString(record.scan.verdict));
    for (const core::CheckpointWarning& warning : record.warnings)
        evidence += fmt::format("; {} {}", warning.code, warning.tensor);
    constexpr std::size_t kLongest = 1000;
    return evidence.substr(0, kLongest);
}

/// Appends a row for every checkpoint whose status is not the one of its last row.
core::Result<void> keepChanges(core::CaseStore& store, const std::vector<core::SaveRecord>& records,
    const std::vector<core::StatusChange>& known)
{
    std::map<std::string, std::string> last;
    for (const core::StatusChange& change : known)
        last[change.checkpoint] = change.after;
    for (const core::SaveRecord& record : records) {
        core::StatusChange change;
        change.checkpoint = checkpointKey(record.place.location.string());
        change.after = toString(record.status);
        const auto before = last.find(change.checkpoint);
        if (before != last.end() && before->second == change.after)
            continue;
        change.before = before == last.end() ? std::string() : before->second;
        change.reason = record.because.empty() ? std::string() : record.because.front();
        change.evidence = evidenceOf(record);
        change.who = kByRule;
        if (auto row = store.append(change); !row)
            return tl::unexpected(std::move(row.error()));
    }
    return {};
}

core::SaveContext contextFor(const SavesQuery& query)
{
    core::SaveContext context;
    context.checkHashes = query.checkHashes;
    context.cleanSteps = query.cleanSteps;
    return context;
}

core::Result<Saves> fromPaths(const SavesQuery& query, core::JobContext& job)
{
    Saves saves;
    auto places = findPlaces(query, saves.diagnostics, job);
    if (!places)
        return tl::unexpected(std::move(places.error()));
    const std::vector<fs::path> ledgers = ledgersNear(query.paths);
    core::SaveContext context = contextFor(query);
    context.ledgerSaves = core::readLedgerSaves(ledgers, job);
    saves.assessment = assessLogs(query.paths, ledgers, job);
    context.assessment = saves.assessment ? &*saves.assessment : nullptr;
    if (places->size() == 1)
        context.siblings = core::findSiblings(places->front(), job);
    auto records = core::assessSaves(*places, context, job);
    if (!records)
        return tl::unexpected(std::move(records.error()));
    saves.records = std::move(*records);
    return saves;
}

/// The checkpoints that the case knows and that are still there.
SavesQuery queryOf(const core::Dataset& dataset, SavesQuery query)
{
    if (!query.paths.empty())
        return query;
    for (const core::FoundArtifact& artifact : dataset.checkpoints) {
        std::error_code ignored;
        if (fs::exists(artifact.path, ignored))
            query.paths.push_back(artifact.path);
    }
    return query;
}

core::Result<Saves> fromCase(
    const SavesQuery& asked, const Environment& environment, core::JobContext& job)
{
    auto store = openCase(environment, core::CaseAccess::Write);
    if (!store)
        return tl::unexpected(std::move(store.error()));
    auto dataset = store->loadDataset(job);
    if (!dataset)
        return tl::unexpected(std::move(dataset.error()));
    auto changes = store->statusChanges();
    if (!changes)
        return tl::unexpected(std::move(changes.error()));
    Saves saves;
    const SavesQuery query = queryOf(**dataset, asked);
    auto places = findPlaces(query, saves.diagnostics, job);
    if (!places)
        return tl::unexpected(std::move(places.error()));
    core::SaveContext context = contextFor(query);
    context.ledgerSaves = core::readLedgerSaves(ledgersOf(**dataset), job);
    context.words = wordsOf(*changes);
    auto assessment = core::assess(*dataset, core::Settings(), job);
    if (!assessment)
        return tl::unexpected(std::move(assessment.error()));
    saves.assessment = std::move(*assessment);
    context.assessment = &*saves.assessment;
    auto records = core::assessSaves(*places, context, job);
    if (!records)
        return tl::unexpected(std::move(records.error()));
    saves.records = std::move(*records);
    if (auto kept = keepChanges(*store, saves.records, *changes); !kept)
        return tl::unexpected(std::move(kept.error()));
    return saves;
}

}  // namespace

bool meansCase(const SavesQuery& query, const Environment& environment)
{
    return query.paths.empty() || !environment.casePath.empty();
}

std::string checkpointKey(const std::string& path)
{
    std::error_code failure;
    const fs::path key = fs::weakly_canonical(path, failure);
    return failure ? path : key.string();
}

core::Result<Saves> loadSaves(
    const SavesQuery& query, const Environment& environment, core::JobContext& job)
{
    return meansCase(query, environment) ? fromCase(query, environment, job)
                                         : fromPaths(query, job);
}

}  // namespace firstbad::cli
