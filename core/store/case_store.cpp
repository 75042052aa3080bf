// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/store/case_store.h"

#include "core/base/file.h"
#include "core/base/text.h"
#include "core/store/case_loader.h"
#include "core/store/case_state.h"
#include "core/store/incident_book.h"
#include "core/store/migration.h"
#include "core/store/run_book.h"

#include <algorithm>
#include <chrono>
#include <fmt/format.h>
#include <set>

namespace firstbad::core {
namespace {

namespace fs = std::filesystem;

bool isCase(const fs::path& folder)
{
    std::error_code ignored;
    return fs::is_regular_file(folder / "case.db", ignored);
}

/// Writes case.db under a temporary name and renames it: half a database is never a case.
Result<void> writeNewDatabase(const fs::path& folder)
{
    const fs::path path = folder / "case.db";
    const fs::path part = path.string() + std::string(kPartSuffix);
    std::error_code failure;
    fs::remove(part, failure);
    {
        auto database = Database::open(part, DatabaseMode::Create);
        if (!database)
            return tl::unexpected(database.error());
        auto done = database->execute(createCaseSql());
        if (done)
            done = inCommit(*database, "init", [](ChainWriter& chain) -> Result<void> {
                auto row
                    = chain.append("case_info", {std::string("made_by"), std::string("firstbad")});
                if (!row)
                    return tl::unexpected(row.error());
                return {};
            });
        if (!done)
            return done;
    }
    auto synced = syncFile(part);
    if (!synced)
        return synced;
    fs::rename(part, path, failure);
    if (failure)
        return tl::unexpected(systemError("rename", path, failure.value()));
    return syncFolder(folder);
}

Result<void> makeFolders(const fs::path& folder)
{
    for (const char* name : {"", "series", "evidence", "reports"}) {
        std::error_code failure;
        const fs::path path = *name == '\0' ? folder : folder / name;
        fs::create_directories(path, failure);
        if (failure)
            return tl::unexpected(systemError("create", path, failure.value()));
    }
    return {};
}

/// Temporary names that a killed writer left; nothing ever names them.
void removeParts(const fs::path& folder)
{
    std::error_code failure;
    std::vector<fs::path> parts;
    for (const char* name : {"series", "evidence"})
        for (fs::directory_iterator at(folder / name, failure), end; !failure && at != end;
             at.increment(failure))
            if (at->path().extension() == kPartSuffix)
                parts.push_back(at->path());
    for (const fs::path& part : parts)
        fs::remove(part, failure);
}

Result<Database> openDatabase(const fs::path& folder, CaseAccess access)
{
    const bool writes = access == CaseAccess::Write;
    auto database
        = Database::open(folder / "case.db", writes ? DatabaseMode::Write : DatabaseMode::Read);
    if (!database)
        return database;
    if (writes) {
        // FULL: an acknowledged commit survives a loss of power too.
        auto ready = database->execute(
            fmt::format("PRAGMA journal_mode={}; PRAGMA synchronous=FULL;", journalFor(folder)));
        if (!ready)
            return tl::unexpected(ready.error());
    }
    auto fits = bringUpToDate(*database, migrationSteps(), kSchemaVersion, writes);
    if (!fits)
        return tl::unexpected(fits.error());
    return database;
}

bool liesIn(const std::string& location, const std::string& folder)
{
    return location == folder
        || (location.size() > folder.size() && location.compare(0, folder.size(), folder) == 0
            && (location[folder.size()] == '/' || location[folder.size()] == '!'
                || folder.back() == '/'));
}

Result<void> appendArtifacts(
    Database& database, ChainWriter& chain, const std::vector<FoundArtifact>& artifacts)
{
    for (const FoundArtifact& artifact : artifacts) {
        const std::string location = locationOf(artifact.path);
        const auto bytes = static_cast<std::int64_t>(artifact.bytes);
        auto known = database.query("SELECT format, bytes FROM artifacts WHERE kind = ? AND "
                                    "location = ? ORDER BY seq DESC LIMIT 1",
            {artifact.kind, location});
        if (!known)
            return tl::unexpected(known.error());
        if (!known->empty() && known->front() == Row{artifact.format, bytes})
            continue;
        auto row = chain.append(
            "artifacts", {artifact.kind, location, artifact.path, artifact.format, bytes});
        if (!row)
            return tl::unexpected(row.error());
    }
    return {};
}

Result<void> appendAll(ChainWriter& chain, const std::vector<PendingRow>& rows)
{
    for (const PendingRow& row : rows) {
        auto done = chain.append(row.table, row.cells);
        if (!done)
            return tl::unexpected(done.error());
    }
    return {};
}

Result<bool> appendJudgements(Database& database, ChainWriter& chain, const Dataset& dataset,
    const RunPlan& plan, std::span<const RunIncidents> judged)
{
    bool anyNew = false;
    for (std::size_t i = 0; i < dataset.runs.size(); ++i) {
        const auto at = std::find_if(judged.begin(), judged.end(),
            [&](const RunIncidents& one) { return one.run == dataset.runs[i]->id.value; });
        if (at == judged.end() || plan.keys.at(i) == 0)
            continue;
        auto isNew = appendJudgement(database, chain, plan.keys[i], at->incidents);
        if (!isNew)
            return isNew;
        anyNew = anyNew || *isNew;
    }
    return anyNew;
}

void describeSources(const Dataset& dataset, const SourcePlan& plan, AddReport& report)
{
    for (std::size_t i = 0; i < plan.changes.size(); ++i) {
        const std::string& path = dataset.sources[i].path;
        const SourceChange change = plan.changes[i];
        report.sources.push_back({path, change});
        if (change == SourceChange::Changed || change == SourceChange::Shrank)
            report.diagnostics.push_back({Severity::Warning,
                fmt::format("source-{}", toString(change)),
                fmt::format("{} {}: it is kept as a new version, the old one stays in the case.",
                    escapedForTerminal(path),
                    change == SourceChange::Shrank ? "is shorter than when it was last read"
                                                   : "no longer begins as it did when last read"),
                Where{path, {}, {}}});
    }
}

}  // namespace

double nowSeconds() noexcept
{
    const auto now = std::chrono::system_clock::now().time_since_epoch();
    return std::chrono::duration<double>(now).count();
}

Result<void> inCommit(Database& database, std::string_view what,
    const std::function<Result<void>(ChainWriter&)>& body)
{
    auto transaction = Transaction::begin(database, true);
    if (!transaction)
        return tl::unexpected(transaction.error());
    ChainWriter chain(database);
    auto done = body(chain);
    if (done)
        done = chain.appendCommit(nowSeconds(), what);
    return done ? transaction->commit() : done;
}

tl::unexpected<Error> notAWriter(const fs::path& folder)
{
    return fail(ErrorCode::InvalidArgument,
        fmt::format("The case {} was opened for reading.", escapedForTerminal(folder.string())),
        "Open it for writing.");
}

std::optional<fs::path> findCase(const fs::path& start)
{
    std::error_code failure;
    fs::path folder = fs::weakly_canonical(fs::absolute(start, failure), failure);
    if (failure)
        return std::nullopt;
    for (;; folder = folder.parent_path()) {
        if (isCase(folder))
            return folder;
        if (isCase(folder / "case"))
            return folder / "case";
        if (folder == folder.parent_path())
            return std::nullopt;
    }
}

CaseStore::CaseStore(std::unique_ptr<State> state)
    : m_state(std::move(state))
{ }
CaseStore::CaseStore(CaseStore&& other) noexcept = default;
CaseStore& CaseStore::operator=(CaseStore&& other) noexcept = default;
CaseStore::~CaseStore() = default;

const fs::path& CaseStore::folder() const noexcept
{
    return m_state->folder;
}

Result<CaseStore> CaseStore::create(const fs::path& folder)
{
    const auto taken = [&] {
        return fail(ErrorCode::InvalidArgument,
            fmt::format("{} is a case already.", escapedForTerminal(folder.string())),
            "Use `firstbad add` to read more sources into it.", Where{folder.string(), {}, {}});
    };
    if (isCase(folder))
        return taken();
    auto ready = makeFolders(folder);
    if (!ready)
        return tl::unexpected(ready.error());
    {
        auto lock = WriterLock::take(folder);
        if (!lock)
            return tl::unexpected(lock.error());
        if (isCase(folder))
            return taken();
        auto written = writeNewDatabase(folder);
        if (!written)
            return tl::unexpected(written.error());
    }
    return open(folder, CaseAccess::Write);
}

Result<CaseStore> CaseStore::open(const fs::path& folder, CaseAccess access)
{
    if (!isCase(folder))
        return fail(ErrorCode::NotFound,
            fmt::format("{} is not a case.", escapedForTerminal(folder.string())),
            "Make one with `firstbad init CASE`.", Where{folder.string(), {}, {}});
    std::error_code failure;
    fs::path absolute = fs::absolute(folder, failure);
    std::optional<WriterLock> lock;
    if (access == CaseAccess::Write) {
        auto taken = WriterLock::take(absolute);
        if (!taken)
            return tl::unexpected(taken.error());
        lock = std::move(*taken);
        removeParts(absolute);
    }
    auto database = openDatabase(absolute, access);
    if (!database)
        return tl::unexpected(database.error());
    return CaseStore(
        std::make_unique<State>(State{std::move(absolute), std::move(lock), std::move(*database)}));
}

Result<std::vector<fs::path>> CaseStore::pathsToReadWith(std::span<const fs::path> paths) const
{
    std::vector<fs::path> all(paths.begin(), paths.end());
    auto stored = sources();
    if (!stored)
        return tl::unexpected(stored.error());
    auto runs = newestRuns(m_state->database);
    if (!runs)
        return tl::unexpected(runs.error());
    const auto isNamed = [&](const StoredSource& source) {
        return std::any_of(paths.begin(), paths.end(), [&](const fs::path& path) {
            return liesIn(source.location, locationOf(path.string()));
        });
    };
    std::set<std::int64_t> named;
    std::set<std::int64_t> related;
    for (const StoredSource& source : *stored)
        if (isNamed(source))
            named.insert(source.number);
    for (const StoredRun& run : *runs) {
        const auto& numbers = run.body.sources;
        if (run.isCurrent && std::any_of(numbers.begin(), numbers.end(), [&](std::int64_t number) {
                return named.count(number) > 0;
            }))
            related.insert(numbers.begin(), numbers.end());
    }
    for (const StoredSource& source : *stored) {
        std::error_code ignored;
        if (related.count(source.number) == 0 || named.count(source.number) > 0)
            continue;
        if (fs::exists(source.location, ignored))
            all.emplace_back(source.location);
    }
    return all;
}

Result<AddReport> CaseStore::add(
    const Dataset& dataset, std::span<const RunIncidents> incidents, JobContext& job)
{
    if (!m_state->lock)
        return notAWriter(m_state->folder);
    Database& database = m_state->database;
    auto sourcePlan = planSources(database, dataset.sources, job);
    if (!sourcePlan)
        return tl::unexpected(sourcePlan.error());
    auto commit = database.integer("SELECT max(seq) FROM commits");
    if (!commit)
        return tl::unexpected(commit.error());
    SegmentSink sink(m_state->folder, *commit + 1);
    auto runPlan = planRuns(database, dataset, *sourcePlan, sink, job);
    if (!runPlan)
        return tl::unexpected(runPlan.error());
    auto written = sink.finish();
    if (!written)
        return tl::unexpected(written.error());

    auto transaction = Transaction::begin(database, true);
    if (!transaction)
        return tl::unexpected(transaction.error());
    ChainWriter chain(database);
    Result<void> done;
    for (const auto* rows : {&sourcePlan->rows, &sink.rows(), &runPlan->rows})
        if (done)
            done = appendAll(chain, *rows);
    for (const auto* artifacts : {&dataset.checkpoints, &dataset.capsules})
        if (done)
            done = appendArtifacts(database, chain, *artifacts);
    if (!done)
        return tl::unexpected(done.error());
    auto judged = appendJudgements(database, chain, dataset, *runPlan, incidents);
    if (!judged)
        return tl::unexpected(judged.error());

    AddReport report;
    report.anythingNew = chain.appended() > 0;
    if (report.anythingNew) {
        done = chain.appendCommit(nowSeconds(), "add");
        if (!done)
            return tl::unexpected(done.error());
        // A commit that reports a failed sync may still be found in the journal later: from here on
        // the files stay, named or not.
        sink.keep();
        done = transaction->commit();
        if (!done)
            return tl::unexpected(done.error());
    }
    describeSources(dataset, *sourcePlan, report);
    report.newPoints = sink.points();
    report.newSegmentBytes = sink.bytes();
    report.newRuns = runPlan->newRuns;
    report.grownRuns = runPlan->grownRuns;
    report.replacedRuns = runPlan->replacedRuns;
    std::move(runPlan->diagnostics.begin(), runPlan->diagnostics.end(),
        std::back_inserter(report.diagnostics));
    return report;
}

Result<std::vector<StoredSource>> CaseStore::sources() const
{
    return newestSources(m_state->database);
}

Result<std::shared_ptr<const Dataset>> CaseStore::loadDataset(JobContext& job) const
{
    auto view = Transaction::begin(m_state->database, false);
    if (!view)
        return tl::unexpected(view.error());
    return loadCase(m_state->database, m_state->folder, job);
}

Result<std::vector<Incident>> CaseStore::storedIncidents() const
{
    auto view = Transaction::begin(m_state->database, false);
    if (!view)
        return tl::unexpected(view.error());
    auto runs = newestRuns(m_state->database);
    if (!runs)
        return tl::unexpected(runs.error());
    std::vector<Incident> all;
    for (const StoredRun& run : *runs) {
        if (!run.isCurrent)
            continue;
        auto incidents = newestIncidents(m_state->database, run.key);
        if (!incidents)
            return incidents;
        for (Incident& incident : *incidents) {
            incident.run = run.id;
            all.push_back(std::move(incident));
        }
    }
    return all;
}

}  // namespace firstbad::core
