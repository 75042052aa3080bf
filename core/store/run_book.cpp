// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/store/run_book.h"

#include "core/base/hash.h"
#include "core/base/text.h"
#include "core/store/segment_file.h"

#include <algorithm>
#include <fmt/format.h>

namespace firstbad::core {
namespace {

using Numbers = std::vector<std::int64_t>;

bool isPartOf(const Numbers& part, const Numbers& whole)
{
    return std::includes(whole.begin(), whole.end(), part.begin(), part.end());
}

Numbers sourcesOf(const Run& run, const SourcePlan& plan)
{
    std::set<std::int64_t> numbers;
    for (const Series& series : run.series)
        for (const auto& column : series.columns)
            if (column)
                for (const SourceSpan& span : column->sources)
                    numbers.insert(plan.numbers.at(span.source));
    for (const LogEvent& event : run.events)
        numbers.insert(plan.numbers.at(event.source));
    return {numbers.begin(), numbers.end()};
}

Row prefixed(Row first, const Row& rest)
{
    first.insert(first.end(), rest.begin(), rest.end());
    return first;
}

std::string printOf(const std::vector<Row>& rows, std::size_t count)
{
    std::string text;
    for (std::size_t i = 0; i < count; ++i)
        putFingerprint(text, rows[i]);
    return sha256Hex(text);
}

/// Plans the runs of one data set against the newest ones of the case.
class Planner
{
public:
    Planner(const Database& database, const Dataset& dataset, const SourcePlan& sources,
        SegmentSink& sink, JobContext& job)
        : m_database(database)
        , m_dataset(dataset)
        , m_sources(sources)
        , m_sink(sink)
        , m_job(job)
    { }

    Result<RunPlan> plan();

private:
    /// What one new version of a run is made of.
    struct Draft {
        std::int64_t key = 0;
        std::int64_t version = 1;
        std::string id;
        Numbers sources;
        const StoredRun* before = nullptr;
        bool keptAllColumns = true;
        bool wroteColumns = false;
    };

    Result<void> prepare();
    Result<void> planRun(const Run& run);
    StoredRun* predecessorOf(const Run& run, bool& isPart);
    std::string uniqueId(const std::string& wanted);
    Result<void> writeVersion(const Run& run, Draft& draft);
    Result<std::map<std::pair<std::string, std::size_t>, ColumnRef>> columnsBefore(
        const Draft& draft) const;
    Result<ColumnRef> planColumn(const Column& column, const ColumnRef& before,
        const std::string& place, const std::string& title, Draft& draft);
    /// Points and missing steps of the stored column that `column` begins with; parts in them.
    Result<std::optional<ColumnSlice>> keptPart(
        const Column& column, const ColumnRef& before, std::int64_t& parts) const;
    void planEvents(const Run& run, Draft& draft, RunBody& body, std::int64_t& list);
    void retireUnclaimed();

    const Database& m_database;
    const Dataset& m_dataset;
    const SourcePlan& m_sources;
    SegmentSink& m_sink;
    JobContext& m_job;
    std::vector<StoredRun> m_stored;
    std::set<std::int64_t> m_claimed;  // keys of stored runs that this data set continues
    Numbers m_readSources;  // numbers that could be read this time, ascending
    std::set<std::string> m_ids;
    std::int64_t m_nextKey = 1;
    std::int64_t m_nextColumn = 1;
    std::int64_t m_nextList = 1;
    RunPlan m_plan;
};

Result<void> Planner::prepare()
{
    auto stored = newestRuns(m_database);
    if (!stored)
        return tl::unexpected(stored.error());
    m_stored = std::move(*stored);
    for (const StoredRun& run : m_stored) {
        m_nextKey = std::max(m_nextKey, run.key + 1);
        if (run.isCurrent)
            m_ids.insert(run.id);
    }
    auto column = m_database.integer("SELECT max(column_id) FROM segments");
    if (!column)
        return tl::unexpected(column.error());
    auto list = m_database.integer("SELECT max(event_list) FROM runs");
    if (!list)
        return tl::unexpected(list.error());
    m_nextColumn = *column + 1;
    m_nextList = *list + 1;
    std::set<std::int64_t> numbers;
    for (std::size_t i = 0; i < m_dataset.sources.size(); ++i)
        if (m_dataset.sources[i].state == SourceState::Read)
            numbers.insert(m_sources.numbers[i]);
    m_readSources.assign(numbers.begin(), numbers.end());
    return {};
}

Result<RunPlan> Planner::plan()
{
    auto ready = prepare();
    if (!ready)
        return tl::unexpected(ready.error());
    for (const RunPtr& run : m_dataset.runs) {
        if (m_job.cancelled())
            return JobContext::cancelledError();
        auto done = planRun(*run);
        if (!done)
            return tl::unexpected(done.error());
    }
    retireUnclaimed();
    return std::move(m_plan);
}

/// The stored run that `run` continues: same id, all of its sources read again. `isPart` is set
/// when `run` is nothing but an unchanged part of a stored run whose other sources were not read.
StoredRun* Planner::predecessorOf(const Run& run, bool& isPart)
{
    const Numbers numbers = sourcesOf(run, m_sources);
    StoredRun* best = nullptr;
    for (StoredRun& stored : m_stored) {
        if (!stored.isCurrent || stored.givenId != run.id.value || m_claimed.count(stored.key) > 0)
            continue;
        if (isPartOf(stored.body.sources, m_readSources)) {
            if (!best || stored.body.sources.size() > best->body.sources.size())
                best = &stored;
        } else if (isPartOf(numbers, stored.body.sources)) {
            isPart = true;
        }
    }
    for (std::size_t i = 0; i < m_sources.numbers.size() && isPart; ++i)
        if (std::binary_search(numbers.begin(), numbers.end(), m_sources.numbers[i]))
            isPart = m_sources.changes[i] == SourceChange::Unchanged;
    return best;
}

std::string Planner::uniqueId(const std::string& wanted)
{
    std::string id = wanted;
    for (int n = 2; m_ids.count(id) > 0; ++n)
        id = fmt::format("{}#{}", wanted, n);
    m_ids.insert(id);
    if (id != wanted)
        m_plan.diagnostics.push_back({Severity::Warning, "run-beside",
            fmt::format("A run {} from other sources is in the case already: this one is stored "
                        "as {}; add the paths of both together to have them as one run.",
                escapedForTerminal(wanted), escapedForTerminal(id)),
            {}});
    return id;
}

Result<void> Planner::planRun(const Run& run)
{
    bool isPart = false;
    Draft draft;
    draft.before = predecessorOf(run, isPart);
    if (!draft.before && isPart) {
        m_plan.keys.push_back(0);
        return {};
    }
    draft.sources = sourcesOf(run, m_sources);
    if (draft.before) {
        draft.key = draft.before->key;
        draft.version = draft.before->version + 1;
        draft.id = draft.before->id;
        m_claimed.insert(draft.key);
    } else {
        draft.key = m_nextKey++;
        draft.id = uniqueId(run.id.value);
        m_claimed.insert(draft.key);
    }
    m_plan.keys.push_back(draft.key);
    return writeVersion(run, draft);
}

Result<std::map<std::pair<std::string, std::size_t>, ColumnRef>> Planner::columnsBefore(
    const Draft& draft) const
{
    std::map<std::pair<std::string, std::size_t>, ColumnRef> columns;
    if (!draft.before)
        return columns;
    auto rows = m_database.query("SELECT name, quantity, unit, rank, body FROM series WHERE "
                                 "run_key = ? AND version = ?",
        {draft.before->key, draft.before->version});
    if (!rows)
        return tl::unexpected(rows.error());
    for (const Row& row : *rows) {
        std::vector<ColumnRef> refs;
        const Series series = seriesFromCells(row, 0, refs);
        for (std::size_t i = 0; i < refs.size(); ++i)
            if (refs[i].id != 0)
                columns[{series.name, i}] = refs[i];
    }
    return columns;
}

Result<std::optional<ColumnSlice>> Planner::keptPart(
    const Column& column, const ColumnRef& before, std::int64_t& parts) const
{
    if (before.id == 0 || before.points > column.size()
        || before.missing > column.missingSteps.size())
        return std::nullopt;
    auto rows = m_database.query("SELECT points, missing, fingerprint FROM segments WHERE "
                                 "column_id = ? ORDER BY part",
        {before.id});
    if (!rows)
        return tl::unexpected(rows.error());
    ColumnSlice kept;
    for (const Row& row : *rows) {
        const ColumnSlice slice{kept.to, kept.to + static_cast<std::size_t>(integerOf(row.at(0))),
            kept.missingTo, kept.missingTo + static_cast<std::size_t>(integerOf(row.at(1)))};
        if (slice.to > column.size() || slice.missingTo > column.missingSteps.size()
            || fingerprint(column, slice, m_sources.numbers) != textOf(row.at(2)))
            return std::nullopt;
        kept.to = slice.to;
        kept.missingTo = slice.missingTo;
        ++parts;
    }
    const bool isWhole = kept.to == before.points && kept.missingTo == before.missing;
    return isWhole ? std::optional(kept) : std::nullopt;
}

Result<ColumnRef> Planner::planColumn(const Column& column, const ColumnRef& before,
    const std::string& place, const std::string& title, Draft& draft)
{
    std::int64_t part = 0;
    auto kept = keptPart(column, before, part);
    if (!kept)
        return tl::unexpected(kept.error());
    ColumnRef ref{before.id, column.size(), column.missingSteps.size(), !column.times.empty(),
        !column.lines.empty()};
    ColumnSlice rest{0, 0, 0, column.missingSteps.size()};
    if (*kept) {
        rest.from = (*kept)->to;
        rest.missingFrom = (*kept)->missingTo;
    } else {
        draft.keptAllColumns = draft.keptAllColumns && before.id == 0;
        ref.id = m_nextColumn++;
        part = 0;
    }
    const bool isEmpty = rest.from == column.size() && rest.missingFrom == rest.missingTo;
    if (*kept && isEmpty)
        return ref;
    draft.wroteColumns = true;
    do {
        rest.to = std::min(rest.from + kSegmentPoints, column.size());
        auto done = m_sink.add(ref.id, part++, place, title, column, rest, m_sources.numbers);
        if (!done)
            return tl::unexpected(done.error());
        rest.from = rest.to;
        rest.missingFrom = rest.missingTo;
    } while (rest.from < column.size());
    return ref;
}

void Planner::planEvents(const Run& run, Draft& draft, RunBody& body, std::int64_t& list)
{
    std::vector<Row> rows;
    rows.reserve(run.events.size());
    for (std::size_t i = 0; i < run.events.size(); ++i)
        rows.push_back(eventCells(
            run.events[i], m_sources.numbers.at(run.events[i].source), run.eventAttempt.at(i)));
    body.eventPrint = printOf(rows, rows.size());
    std::size_t kept = 0;
    list = 0;
    if (draft.before && static_cast<std::size_t>(draft.before->events) <= rows.size()
        && printOf(rows, static_cast<std::size_t>(draft.before->events))
            == draft.before->body.eventPrint) {
        kept = static_cast<std::size_t>(draft.before->events);
        list = draft.before->eventList;
    }
    if (list == 0)
        list = m_nextList++;
    for (std::size_t i = kept; i < rows.size(); ++i)
        m_plan.rows.push_back({"events", prefixed({list, static_cast<std::int64_t>(i)}, rows[i])});
}

Result<void> Planner::writeVersion(const Run& run, Draft& draft)
{
    auto before = columnsBefore(draft);
    if (!before)
        return tl::unexpected(before.error());
    std::vector<PendingRow> rows;
    std::string print = run.id.value + draft.id;
    const auto put = [&](std::string_view table, std::size_t position, const Row& cells) {
        putFingerprint(print, cells);
        rows.push_back({table,
            prefixed({draft.key, draft.version, static_cast<std::int64_t>(position)}, cells)});
    };
    for (std::size_t i = 0; i < run.attempts.size(); ++i)
        put("attempts", i, attemptCells(run.attempts[i]));
    for (std::size_t s = 0; s < run.series.size(); ++s) {
        const Series& series = run.series[s];
        std::vector<ColumnRef> refs(series.columns.size());
        for (std::size_t a = 0; a < refs.size(); ++a) {
            if (m_job.cancelled())
                return JobContext::cancelledError();
            if (!series.columns[a])
                continue;
            auto ref = planColumn(*series.columns[a], (*before)[{series.name, a}],
                fmt::format("run{}/attempt{}/series{}", draft.key, a, s), series.name, draft);
            if (!ref)
                return tl::unexpected(ref.error());
            refs[a] = *ref;
        }
        put("series", s, seriesCells(series, refs));
    }
    RunBody body{run.traits, draft.sources, {}};
    std::int64_t list = 0;
    planEvents(run, draft, body, list);
    const std::string bodyText = toBody(body);
    const std::string fingerprint = sha256Hex(print + bodyText);
    if (draft.before && draft.before->fingerprint == fingerprint)
        return {};
    m_plan.rows.push_back({"runs",
        {draft.key, draft.version, draft.id, run.id.value, std::string("current"), list,
            static_cast<std::int64_t>(run.events.size()), fingerprint, bodyText}});
    std::move(rows.begin(), rows.end(), std::back_inserter(m_plan.rows));
    if (!draft.before)
        ++m_plan.newRuns;
    else if (draft.keptAllColumns)
        ++m_plan.grownRuns;
    else
        ++m_plan.replacedRuns;
    return {};
}

/// A stored run whose sources were all read again without giving it any more is no longer current.
void Planner::retireUnclaimed()
{
    for (const StoredRun& run : m_stored) {
        if (!run.isCurrent || m_claimed.count(run.key) > 0 || run.body.sources.empty()
            || !isPartOf(run.body.sources, m_readSources))
            continue;
        m_plan.rows.push_back({"runs",
            {run.key, run.version + 1, run.id, run.givenId, std::string("retired"), run.eventList,
                run.events, run.fingerprint, toBody(run.body)}});
        m_plan.diagnostics.push_back({Severity::Info, "run-replaced",
            fmt::format("The run {} is replaced by what its sources gave this time; the rows and "
                        "points stored before are kept.",
                escapedForTerminal(run.id)),
            {}});
    }
}

}  // namespace

Result<std::vector<StoredRun>> newestRuns(const Database& database)
{
    auto rows = database.query("SELECT run_key, version, run_id, given_id, state, event_list, "
                               "events, fingerprint, body FROM runs r WHERE version = (SELECT "
                               "max(version) FROM runs q WHERE q.run_key = r.run_key) ORDER BY "
                               "run_key");
    if (!rows)
        return tl::unexpected(rows.error());
    std::vector<StoredRun> runs;
    for (const Row& row : *rows)
        runs.push_back({integerOf(row.at(0)), integerOf(row.at(1)), textOf(row.at(2)),
            textOf(row.at(3)), textOf(row.at(4)) == "current", integerOf(row.at(5)),
            integerOf(row.at(6)), textOf(row.at(7)), runFromBody(textOf(row.at(8)))});
    return runs;
}

Result<RunPlan> planRuns(const Database& database, const Dataset& dataset,
    const SourcePlan& sources, SegmentSink& sink, JobContext& job)
{
    return Planner(database, dataset, sources, sink, job).plan();
}

}  // namespace firstbad::core
