// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/store/case_loader.h"

#include "core/base/file.h"
#include "core/base/hash.h"
#include "core/base/text.h"
#include "core/store/run_book.h"
#include "core/store/segment_file.h"

#include <algorithm>
#include <fmt/format.h>

namespace firstbad::core {
namespace {

/// One segment that a column needs.
struct WantedPart {
    std::string place;
    std::uint64_t points = 0;
    std::uint64_t missing = 0;
    std::size_t target = 0;
    std::size_t order = 0;  // among the parts of its column
};

/// A column on its way back: where it goes and the pieces read so far.
struct Target {
    std::shared_ptr<const Column>* slot = nullptr;
    ColumnRef ref;
    std::string name;
    std::vector<Column> pieces;
    bool isDamaged = false;
};

/// Joins the pieces; a piece without times or lines gets unknown ones when the column has some.
Column joined(Target& target)
{
    Column column;
    if (target.pieces.size() == 1) {
        column = std::move(target.pieces.front());
    } else {
        for (Column& piece : target.pieces) {
            if (target.ref.hasTimes && piece.times.empty())
                piece.times.assign(piece.size(), kNoTime);
            if (target.ref.hasLines && piece.lines.empty())
                piece.lines.assign(piece.size(), 0);
            const auto append
                = [](auto& to, const auto& from) { to.insert(to.end(), from.begin(), from.end()); };
            append(column.steps, piece.steps);
            append(column.values, piece.values);
            append(column.times, piece.times);
            append(column.lines, piece.lines);
            append(column.missingSteps, piece.missingSteps);
            append(column.sources, piece.sources);
            piece = Column();
        }
    }
    target.pieces.clear();
    return column;
}

class Loader
{
public:
    Loader(const Database& database, std::filesystem::path folder, JobContext& job)
        : m_database(database)
        , m_folder(std::move(folder))
        , m_job(job)
        , m_dataset(std::make_shared<Dataset>())
    { }

    Result<std::shared_ptr<const Dataset>> load();

private:
    Result<void> loadSources();
    Result<void> loadArtifacts();
    Result<void> loadRun(const StoredRun& stored);
    Result<void> loadSeries(const StoredRun& stored, Run& run);
    Result<void> loadEvents(const StoredRun& stored, Run& run);
    Result<void> want(std::size_t target);
    Result<void> readFiles();
    void readParts(const std::string& name, const Row& file, const std::vector<WantedPart>& parts);
    void damage(Target& target, const Error& error);
    void finishColumns();
    bool mapSources(Column& column) const;

    const Database& m_database;
    std::filesystem::path m_folder;
    JobContext& m_job;
    std::shared_ptr<Dataset> m_dataset;
    std::map<std::int64_t, std::uint32_t> m_indexOf;  // source number to index in the data set
    std::vector<std::shared_ptr<Run>> m_runs;
    std::vector<Target> m_targets;
    std::map<std::string, std::vector<WantedPart>> m_byFile;
};

Result<std::shared_ptr<const Dataset>> Loader::load()
{
    for (const auto step : {&Loader::loadSources, &Loader::loadArtifacts}) {
        auto done = (this->*step)();
        if (!done)
            return tl::unexpected(done.error());
    }
    auto runs = newestRuns(m_database);
    if (!runs)
        return tl::unexpected(runs.error());
    for (const StoredRun& stored : *runs) {
        if (!stored.isCurrent)
            continue;
        auto done = loadRun(stored);
        if (!done)
            return tl::unexpected(done.error());
    }
    auto done = readFiles();
    if (!done)
        return tl::unexpected(done.error());
    finishColumns();
    for (auto& run : m_runs)
        m_dataset->runs.push_back(std::move(run));
    return std::shared_ptr<const Dataset>(m_dataset);
}

Result<void> Loader::loadSources()
{
    auto sources = newestSources(m_database);
    if (!sources)
        return tl::unexpected(sources.error());
    for (StoredSource& source : *sources) {
        m_indexOf[source.number] = static_cast<std::uint32_t>(m_dataset->sources.size());
        m_dataset->sources.push_back(std::move(source.info));
    }
    return {};
}

Result<void> Loader::loadArtifacts()
{
    return m_database.forEach("SELECT kind, path, format, bytes FROM artifacts a WHERE seq = "
                              "(SELECT max(seq) FROM artifacts b WHERE b.location = a.location "
                              "AND b.kind = a.kind) ORDER BY seq",
        {}, [&](const Row& row) {
            FoundArtifact artifact{textOf(row.at(1)), textOf(row.at(0)), textOf(row.at(2)),
                static_cast<std::uint64_t>(integerOf(row.at(3)))};
            auto& list = artifact.kind == "capsule" ? m_dataset->capsules : m_dataset->checkpoints;
            list.push_back(std::move(artifact));
            return true;
        });
}

Result<void> Loader::loadRun(const StoredRun& stored)
{
    auto run = std::make_shared<Run>();
    run->id.value = stored.id;
    run->traits = stored.body.traits;
    auto done = m_database.forEach("SELECT attempt_id, first_step, last_step, ended_how, body FROM "
                                   "attempts WHERE run_key = ? AND version = ? ORDER BY position",
        {stored.key, stored.version}, [&](const Row& row) {
            run->attempts.push_back(attemptFromCells(row, 0));
            return true;
        });
    if (done)
        done = loadSeries(stored, *run);
    if (done)
        done = loadEvents(stored, *run);
    if (done)
        m_runs.push_back(std::move(run));
    return done;
}

Result<void> Loader::loadSeries(const StoredRun& stored, Run& run)
{
    auto rows = m_database.query("SELECT name, quantity, unit, rank, body FROM series WHERE "
                                 "run_key = ? AND version = ? ORDER BY position",
        {stored.key, stored.version});
    if (!rows)
        return tl::unexpected(rows.error());
    std::vector<std::vector<ColumnRef>> refs(rows->size());
    for (std::size_t s = 0; s < rows->size(); ++s) {
        run.series.push_back(seriesFromCells((*rows)[s], 0, refs[s]));
        run.series.back().columns.resize(refs[s].size());
    }
    for (std::size_t s = 0; s < refs.size(); ++s)  // now the addresses of the slots are final
        for (std::size_t a = 0; a < refs[s].size(); ++a) {
            if (refs[s][a].id == 0)
                continue;
            m_targets.push_back(
                {&run.series[s].columns[a], refs[s][a], run.series[s].name, {}, false});
            auto done = want(m_targets.size() - 1);
            if (!done)
                return done;
        }
    return {};
}

Result<void> Loader::want(std::size_t index)
{
    Target& target = m_targets[index];
    std::uint64_t points = 0;
    auto done = m_database.forEach(
        "SELECT file, place, points, missing FROM segments WHERE column_id = ? ORDER BY part",
        {target.ref.id}, [&](const Row& row) {
            const WantedPart part{textOf(row.at(1)),
                static_cast<std::uint64_t>(integerOf(row.at(2))),
                static_cast<std::uint64_t>(integerOf(row.at(3))), index, target.pieces.size()};
            target.pieces.emplace_back();
            m_byFile[textOf(row.at(0))].push_back(part);
            points += part.points;
            return true;
        });
    if (done && points != target.ref.points)
        damage(target,
            Error{ErrorCode::Malformed,
                fmt::format("case.db: segments of the series {} are missing.",
                    escapedForTerminal(target.name)),
                {}, {}, "Run `firstbad doctor` in the case."});
    return done;
}

Result<void> Loader::readFiles()
{
    std::map<std::string, Row> files;
    std::uint64_t total = 0;
    auto done
        = m_database.forEach("SELECT name, bytes, sha256 FROM files", {}, [&](const Row& row) {
              files[textOf(row.at(0))] = row;
              total += static_cast<std::uint64_t>(integerOf(row.at(1)));
              return true;
          });
    if (!done)
        return done;
    m_job.setStage("reading the case", total);
    for (const auto& [name, parts] : m_byFile) {
        if (m_job.cancelled())
            return JobContext::cancelledError();
        readParts(name, files[name], parts);
    }
    return {};
}

void Loader::readParts(
    const std::string& name, const Row& file, const std::vector<WantedPart>& parts)
{
    const auto damageAll = [&](const Error& error) {
        for (const WantedPart& part : parts)
            damage(m_targets[part.target], error);
    };
    if (file.empty())
        return damageAll(Error{ErrorCode::Malformed,
            fmt::format("case.db names no file {} for its segments.", escapedForTerminal(name)), {},
            {}, "Run `firstbad doctor` in the case."});
    const auto bytes = static_cast<std::uint64_t>(integerOf(file.at(1)));
    auto image = readNamedFile(m_folder, name, bytes, textOf(file.at(2)));
    if (!image)
        return damageAll(image.error());
    auto reader = SegmentReader::open(name, std::move(*image));
    if (!reader)
        return damageAll(reader.error());
    for (const WantedPart& part : parts) {
        Target& target = m_targets[part.target];
        auto column = reader->read(part.place, part.points, part.missing);
        if (!column)
            damage(target, column.error());
        else if (!mapSources(*column))
            damage(target,
                Error{ErrorCode::Malformed,
                    fmt::format("{}: the series {} names a source that the case does not know.",
                        escapedForTerminal(name), escapedForTerminal(target.name)),
                    {}, {}, "Run `firstbad doctor` in the case."});
        else
            target.pieces[part.order] = std::move(*column);
    }
    m_job.advance(bytes);
}

bool Loader::mapSources(Column& column) const
{
    for (SourceSpan& span : column.sources) {
        const auto at = m_indexOf.find(span.source);
        if (at == m_indexOf.end())
            return false;
        span.source = at->second;
    }
    return true;
}

void Loader::damage(Target& target, const Error& error)
{
    if (target.isDamaged)
        return;
    target.isDamaged = true;
    m_dataset->diagnostics.push_back({Severity::Error, "segment-damaged",
        fmt::format(
            "The series {} is left out: {}", escapedForTerminal(target.name), error.message),
        error.where.value_or(Where{})});
}

void Loader::finishColumns()
{
    for (Target& target : m_targets)
        if (!target.isDamaged)
            *target.slot = std::make_shared<const Column>(joined(target));
}

Result<void> Loader::loadEvents(const StoredRun& stored, Run& run)
{
    return m_database.forEach("SELECT kind, step, rank, text, source, line, body FROM events WHERE "
                              "event_list = ? AND position < ? ORDER BY position",
        {stored.eventList, stored.events}, [&](const Row& row) {
            std::size_t attempt = 0;
            LogEvent event = eventFromCells(row, 0, attempt);
            const auto at = m_indexOf.find(event.source);
            event.source = at == m_indexOf.end() ? 0 : at->second;
            run.events.push_back(std::move(event));
            run.eventAttempt.push_back(
                run.attempts.empty() ? 0 : std::min(attempt, run.attempts.size() - 1));
            return true;
        });
}

}  // namespace

namespace {

tl::unexpected<Error> damagedFile(const std::filesystem::path& path, const char* what)
{
    return fail(ErrorCode::Malformed,
        fmt::format("{} {}.", escapedForTerminal(path.string()), what),
        "Restore it from a copy of the case, or add its sources again to a new case.",
        Where{path.string(), {}, {}});
}

/// A name that leads out of the case was not written by firstbad.
bool leadsOut(const std::string& name)
{
    const std::filesystem::path path(name);
    return std::find(path.begin(), path.end(), "..") != path.end();
}

}  // namespace

Result<std::string> readNamedFile(const std::filesystem::path& folder, const std::string& name,
    std::uint64_t bytes, const std::string& sha256)
{
    constexpr std::uint64_t kLimit = 1ULL << 32U;
    const std::filesystem::path path = folder / std::filesystem::path(name).relative_path();
    if (leadsOut(name))
        return damagedFile(path, "lies outside the case");
    auto content = readWholeFile(path, kLimit);
    if (!content)
        return content;
    if (content->size() != bytes)
        return damagedFile(path, "has another size than the case wrote");
    if (sha256Hex(*content) != sha256)
        return damagedFile(path, "has another SHA-256 than the case wrote");
    return content;
}

Result<void> verifyNamedFile(const std::filesystem::path& folder, const std::string& name,
    std::uint64_t bytes, const std::string& sha256, JobContext& job)
{
    const std::filesystem::path path = folder / std::filesystem::path(name).relative_path();
    if (leadsOut(name))
        return damagedFile(path, "lies outside the case");
    const auto hash = sha256OfFile(path, job);
    if (!hash)
        return tl::unexpected(hash.error());
    std::error_code failure;
    if (std::filesystem::file_size(path, failure) != bytes)
        return damagedFile(path, "has another size than the case wrote");
    return *hash == sha256 ? Result<void>()
                           : damagedFile(path, "has another SHA-256 than the case wrote");
}

Result<std::shared_ptr<const Dataset>> loadCase(
    const Database& database, const std::filesystem::path& folder, JobContext& job)
{
    return Loader(database, folder, job).load();
}

}  // namespace firstbad::core
