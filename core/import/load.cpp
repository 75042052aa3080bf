// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/import/load.h"

#include "core/base/hash.h"
#include "core/base/text.h"
#include "core/import/artifact.h"
#include "core/import/attempts.h"
#include "core/import/discover.h"
#include "core/import/structured/column_roles.h"

#include <algorithm>
#include <atomic>
#include <fmt/format.h>
#include <map>
#include <mutex>
#include <thread>

namespace firstbad::core {
namespace {

namespace fs = std::filesystem;

/// What reading one found source gave; parallel to Discovery::sources.
struct ReadOutcome {
    std::vector<SourceData> data;
    std::optional<Error> error;
};

SourceInfo infoOfError(const FoundSource& source, const Error& error)
{
    SourceInfo info;
    info.path = source.ref.shownPath;
    info.format = std::string(source.importer->id);
    info.bytes = source.bytes;
    info.state
        = error.code == ErrorCode::Unsupported ? SourceState::Unsupported : SourceState::Damaged;
    info.message = error.message;
    info.hint = error.hint;
    if (error.where) {
        SkippedPart part;
        part.code = "unreadable";
        part.reason = error.message;
        part.offset = error.where->offset.value_or(0);
        part.line = error.where->line.value_or(0);
        info.skipped.push_back(std::move(part));
    }
    return info;
}

/// What the user said that names mean, for sources of every format.
void applyMeanings(const NameMap& nameMap, std::vector<RawColumn>& columns)
{
    for (RawColumn& column : columns) {
        std::string_view name = column.name;
        if (column.rank)  // the reader has added " [rank k]"
            name = name.substr(0, name.rfind(" [rank "));
        if (const auto meant = nameMap.quantity(name))
            column.quantity = *meant;
    }
}

ReadOutcome readOne(const FoundSource& source, const ImportOptions& options, JobContext& job)
{
    ReadOutcome outcome;
    auto data = source.importer->read(source.ref, options, job);
    if (!data) {
        outcome.error = data.error();
        return outcome;
    }
    outcome.data = std::move(*data);
    const NameMap nameMap(options);
    for (SourceData& one : outcome.data) {
        applyMeanings(nameMap, one.columns);
        if (one.info.path.empty())
            one.info.path = source.ref.shownPath;
        if (one.info.format.empty())
            one.info.format = std::string(source.importer->id);
        if (one.info.bytes == 0)
            one.info.bytes = source.bytes;
        // A README beside the logs is no damage; one that the user named is answered for.
        const bool aside = source.ref.path != source.root && isDocument(source.ref.path);
        if (aside && one.info.state == SourceState::NotRecognised)
            one.info.state = SourceState::Ignored;
    }
    if (options.hashSources && fs::is_regular_file(source.ref.path)) {
        // Only what was read: a log that grows meanwhile is not taken for a changed one.
        std::map<std::uint64_t, std::string> hashes;  // by bytes read: once for all runs of a store
        for (SourceData& one : outcome.data) {
            const auto [known, isNew] = hashes.try_emplace(one.info.bytes);
            if (isNew)
                known->second = sha256OfFile(source.ref.path, job, one.info.bytes).value_or("");
            one.info.sha256 = known->second;
        }
    }
    return outcome;
}

/// Reads all sources on all cores; results stay in the order of `found`.
Result<std::vector<ReadOutcome>> readAll(
    const std::vector<FoundSource>& found, const ImportOptions& options, JobContext& job)
{
    std::uint64_t total = 0;
    for (const FoundSource& source : found)
        total += source.bytes;
    job.setStage("reading", total);
    std::vector<ReadOutcome> outcomes(found.size());
    std::atomic<std::size_t> next{0};
    const auto work = [&] {
        for (std::size_t i = next++; i < found.size() && !job.cancelled(); i = next++)
            outcomes[i] = readOne(found[i], options, job);
    };
    const std::size_t workers
        = std::min<std::size_t>(std::max(1U, std::thread::hardware_concurrency()), found.size());
    {
        std::vector<std::jthread> threads;
        for (std::size_t i = 1; i < workers; ++i)
            threads.emplace_back(work);
        work();
    }
    if (job.cancelled())
        return JobContext::cancelledError();
    return outcomes;
}

bool isQuiet(SourceState state) noexcept
{
    return state == SourceState::Read || state == SourceState::Ignored;
}

Severity severityOf(const SourceInfo& info)
{
    return isQuiet(info.state) ? Severity::Info : Severity::Warning;
}

void diagnose(Dataset& dataset)
{
    for (const SourceInfo& info : dataset.sources) {
        if (!isQuiet(info.state))
            dataset.diagnostics.push_back(
                {severityOf(info), "not-read", info.message, Where{info.path, {}, {}}});
        for (const SkippedPart& part : info.skipped) {
            Where where{info.path, {}, {}};
            if (part.line > 0)
                where.line = part.line;
            else
                where.offset = part.offset;
            dataset.diagnostics.push_back({part.mayBeGrowing ? Severity::Info : Severity::Warning,
                part.code, part.reason, std::move(where)});
        }
    }
}

}  // namespace

Result<std::shared_ptr<const Dataset>> loadPaths(
    std::span<const fs::path> paths, const ImportOptions& options, JobContext& job)
{
    auto found = discover(paths, options, job);
    if (!found)
        return tl::unexpected(found.error());
    auto outcomes = readAll(found->sources, options, job);
    if (!outcomes)
        return tl::unexpected(outcomes.error());

    auto dataset = std::make_shared<Dataset>();
    std::vector<SourceData> sources;
    std::vector<SourcePlace> places;
    std::vector<SourceInfo> failed;
    for (std::size_t i = 0; i < outcomes->size(); ++i) {
        ReadOutcome& outcome = (*outcomes)[i];
        const FoundSource& source = found->sources[i];
        if (outcome.error)
            failed.push_back(infoOfError(source, *outcome.error));
        for (SourceData& data : outcome.data) {
            sources.push_back(std::move(data));
            places.push_back({source.ref.path, source.root, source.rootName});
        }
    }
    job.setStage("joining attempts");
    dataset->runs = buildRuns(sources, places);
    for (SourceData& data : sources) {
        if (data.ledger)
            dataset->ledgers.push_back(
                {std::move(data.ledger), static_cast<std::uint32_t>(dataset->sources.size())});
        dataset->sources.push_back(std::move(data.info));
    }
    std::move(failed.begin(), failed.end(), std::back_inserter(dataset->sources));
    std::move(found->notRead.begin(), found->notRead.end(), std::back_inserter(dataset->sources));
    dataset->checkpoints = std::move(found->checkpoints);
    dataset->capsules = std::move(found->capsules);
    diagnose(*dataset);
    return std::shared_ptr<const Dataset>(std::move(dataset));
}

}  // namespace firstbad::core
