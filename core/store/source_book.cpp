// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/store/source_book.h"

#include "core/base/file.h"
#include "core/base/hash.h"
#include "core/store/case_codec.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <map>

namespace firstbad::core {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kChanges = 5;

template <class Enum> Enum changeOf(std::string_view text)
{
    for (std::size_t i = 0; i < kChanges; ++i)
        if (toString(static_cast<Enum>(i)) == text)
            return static_cast<Enum>(i);
    return Enum::New;
}

/// SHA-256 of the first `bytes` of a file; empty when it is shorter or can not be read.
Result<std::string> hashOfStart(const fs::path& path, std::uint64_t bytes, JobContext& job)
{
    constexpr std::size_t kChunk = 1U << 20U;
    auto file = InputFile::open(path);
    if (!file)
        return std::string();
    Sha256 hash;
    std::vector<char> buffer(kChunk);
    for (std::uint64_t done = 0; done < bytes;) {
        if (job.cancelled())
            return JobContext::cancelledError();
        const std::size_t wanted
            = static_cast<std::size_t>(std::min<std::uint64_t>(kChunk, bytes - done));
        auto got = file->readAt(done, std::span(buffer).first(wanted));
        if (!got || *got == 0)
            return std::string();
        hash.add(std::string_view(buffer.data(), *got));
        done += *got;
    }
    return hash.finish();
}

Result<SourceChange> compare(const SourceInfo& now, const StoredSource& known, JobContext& job)
{
    const SourceInfo& old = known.info;
    const bool hashed = !now.sha256.empty() && !old.sha256.empty();
    if (now.bytes == old.bytes)
        return !hashed || now.sha256 == old.sha256 ? SourceChange::Unchanged
                                                   : SourceChange::Changed;
    if (now.bytes < old.bytes)
        return SourceChange::Shrank;
    std::error_code ignored;
    if (!hashed || !fs::is_regular_file(known.location, ignored))
        return SourceChange::Grew;  // no bytes to compare: the columns decide what is written
    auto start = hashOfStart(known.location, old.bytes, job);
    if (!start)
        return tl::unexpected(start.error());
    return *start == old.sha256 ? SourceChange::Grew : SourceChange::Changed;
}

/// A source without a hash gets one if it is a file that still has the size that was read.
Result<SourceInfo> withHash(SourceInfo info, const std::string& location, JobContext& job)
{
    std::error_code failure;
    if (!info.sha256.empty() || !fs::is_regular_file(location, failure)
        || fs::file_size(location, failure) != info.bytes)
        return info;
    auto hash = sha256OfFile(location, job);
    if (hash)
        info.sha256 = *hash;
    else if (hash.error().code == ErrorCode::Cancelled)
        return tl::unexpected(hash.error());
    return info;
}

PendingRow sourceRow(std::int64_t number, std::int64_t version, const std::string& location,
    SourceChange change, const SourceInfo& info)
{
    Row cells{number, version, location, info.path, std::string(toString(change))};
    const Row rest = sourceCells(info);
    cells.insert(cells.end(), rest.begin(), rest.end());
    return {"sources", std::move(cells)};
}

}  // namespace

std::string_view toString(SourceChange change) noexcept
{
    constexpr std::array<std::string_view, kChanges> kNames{
        "new", "unchanged", "grew", "changed", "shrank"};
    return kNames.at(static_cast<std::size_t>(change));
}

std::string locationOf(const std::string& path)
{
    std::error_code failure;
    const fs::path absolute = fs::absolute(path, failure);
    if (failure)
        return path;
    const fs::path canonical = fs::weakly_canonical(absolute, failure);
    return failure ? absolute.lexically_normal().string() : canonical.string();
}

Result<std::vector<StoredSource>> newestSources(const Database& database)
{
    auto rows = database.query(
        "SELECT number, version, location, path, change, state, format, bytes, sha256, records, "
        "body FROM sources s WHERE version = (SELECT max(version) FROM sources t WHERE t.number = "
        "s.number) ORDER BY number");
    if (!rows)
        return tl::unexpected(rows.error());
    std::vector<StoredSource> sources;
    for (const Row& row : *rows) {
        StoredSource source;
        source.number = integerOf(row.at(0));
        source.version = integerOf(row.at(1));
        source.location = textOf(row.at(2));
        source.change = changeOf<SourceChange>(textOf(row.at(4)));
        source.info = sourceFromCells(row, 3);
        sources.push_back(std::move(source));
    }
    return sources;
}

Result<SourcePlan> planSources(
    const Database& database, const std::vector<SourceInfo>& sources, JobContext& job)
{
    auto stored = newestSources(database);
    if (!stored)
        return tl::unexpected(stored.error());
    std::map<std::string, const StoredSource*> known;
    std::int64_t lastNumber = 0;
    for (const StoredSource& source : *stored) {
        known[source.location] = &source;
        lastNumber = std::max(lastNumber, source.number);
    }
    SourcePlan plan;
    std::map<std::string, int> seen;
    for (const SourceInfo& given : sources) {
        std::string location = locationOf(given.path);
        auto info = withHash(given, location, job);
        if (!info)
            return tl::unexpected(info.error());
        // One file may hold several sources.
        if (const int count = ++seen[location]; count > 1)
            location += fmt::format("#{}", count);
        const auto at = known.find(location);
        if (at == known.end()) {
            plan.numbers.push_back(static_cast<std::uint32_t>(++lastNumber));
            plan.changes.push_back(SourceChange::New);
            plan.rows.push_back(sourceRow(lastNumber, 1, location, SourceChange::New, *info));
            continue;
        }
        auto change = compare(*info, *at->second, job);
        if (!change)
            return tl::unexpected(change.error());
        plan.numbers.push_back(static_cast<std::uint32_t>(at->second->number));
        plan.changes.push_back(*change);
        if (*change != SourceChange::Unchanged
            || sourceCells(*info) != sourceCells(at->second->info))
            plan.rows.push_back(
                sourceRow(at->second->number, at->second->version + 1, location, *change, *info));
    }
    return plan;
}

}  // namespace firstbad::core
