// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/store/case_records.h"

#include "core/base/text.h"
#include "core/store/case_state.h"

#include <fmt/format.h>

namespace firstbad::core {
namespace {

constexpr std::string_view kMappingPrefix = "map:";

/// A time that SQLite can hold; a clock that answers nonsense gives now.
double storable(double time) noexcept
{
    return isFinite(time) && time != 0.0 ? time : nowSeconds();
}

Result<std::int64_t> appendRecord(Database& database, std::string_view table, const Row& row)
{
    std::int64_t id = 0;
    auto done = inCommit(database, table, [&](ChainWriter& chain) -> Result<void> {
        auto seq = chain.append(table, row);
        if (!seq)
            return tl::unexpected(seq.error());
        id = *seq;
        return {};
    });
    if (!done)
        return tl::unexpected(done.error());
    return id;
}

template <class Record, class Read>
Result<std::vector<Record>> readRecords(
    const Database& database, const char* sql, const Row& bound, Read read)
{
    std::vector<Record> records;
    auto done = database.forEach(sql, bound, [&](const Row& row) {
        records.push_back(read(row));
        return true;
    });
    if (!done)
        return tl::unexpected(done.error());
    return records;
}

}  // namespace

Result<std::int64_t> CaseStore::append(const Annotation& annotation)
{
    if (annotation.withdraws) {
        auto known = m_state->database.integer(
            "SELECT count(*) FROM annotations WHERE seq = ?", {*annotation.withdraws});
        if (!known)
            return known;
        if (*known == 0)
            return fail(ErrorCode::NotFound,
                fmt::format("The case has no annotation {}.", *annotation.withdraws),
                "List the annotations to see their numbers.");
    }
    if (!m_state->lock)
        return notAWriter(m_state->folder);
    return appendRecord(m_state->database, "annotations",
        {storable(annotation.time), annotation.target, annotation.note, annotation.who,
            cellOf(annotation.withdraws)});
}

Result<std::int64_t> CaseStore::append(const StatusChange& change)
{
    if (!m_state->lock)
        return notAWriter(m_state->folder);
    return appendRecord(m_state->database, "statuses",
        {storable(change.time), change.checkpoint, change.before, change.after, change.reason,
            change.evidence, change.who});
}

Result<std::int64_t> CaseStore::append(const JobRecord& job)
{
    if (!m_state->lock)
        return notAWriter(m_state->folder);
    return appendRecord(m_state->database, "jobs",
        {storable(job.time), job.kind, job.outcome, isFinite(job.seconds) ? job.seconds : 0.0,
            job.detail});
}

Result<std::int64_t> CaseStore::append(const BisectEntry& entry)
{
    if (!m_state->lock)
        return notAWriter(m_state->folder);
    return appendRecord(m_state->database, "bisects",
        {storable(entry.time), entry.bisect, entry.n, entry.probe, entry.verdict, entry.by,
            entry.evidence});
}

Result<std::vector<Annotation>> CaseStore::annotations() const
{
    return readRecords<Annotation>(m_state->database,
        "SELECT seq, time, target, note, who, withdraws, (SELECT min(b.seq) FROM annotations b "
        "WHERE b.withdraws = a.seq) FROM annotations a ORDER BY seq",
        {}, [](const Row& row) {
            return Annotation{integerOf(row.at(0)), realOf(row.at(1)), textOf(row.at(2)),
                textOf(row.at(3)), textOf(row.at(4)), optionalOf(row.at(5)), optionalOf(row.at(6))};
        });
}

Result<std::vector<StatusChange>> CaseStore::statusChanges() const
{
    return readRecords<StatusChange>(m_state->database,
        "SELECT seq, time, checkpoint, before, after, reason, evidence, who FROM statuses ORDER BY "
        "seq",
        {}, [](const Row& row) {
            return StatusChange{integerOf(row.at(0)), realOf(row.at(1)), textOf(row.at(2)),
                textOf(row.at(3)), textOf(row.at(4)), textOf(row.at(5)), textOf(row.at(6)),
                textOf(row.at(7))};
        });
}

Result<std::vector<JobRecord>> CaseStore::jobs() const
{
    return readRecords<JobRecord>(m_state->database,
        "SELECT seq, time, kind, outcome, seconds, detail FROM jobs ORDER BY seq", {},
        [](const Row& row) {
            return JobRecord{integerOf(row.at(0)), realOf(row.at(1)), textOf(row.at(2)),
                textOf(row.at(3)), realOf(row.at(4)), textOf(row.at(5))};
        });
}

Result<std::vector<BisectEntry>> CaseStore::bisectLog(std::string_view bisect) const
{
    return readRecords<BisectEntry>(m_state->database,
        "SELECT seq, time, bisect, n, probe, verdict, done_by, evidence FROM bisects WHERE bisect "
        "= ? ORDER BY seq",
        {std::string(bisect)}, [](const Row& row) {
            return BisectEntry{integerOf(row.at(0)), realOf(row.at(1)), textOf(row.at(2)),
                integerOf(row.at(3)), textOf(row.at(4)), textOf(row.at(5)), textOf(row.at(6)),
                textOf(row.at(7))};
        });
}

Result<void> CaseStore::append(const NameMapping& mapping)
{
    if (!m_state->lock)
        return notAWriter(m_state->folder);
    const auto known = nameMappings();
    if (!known)
        return tl::unexpected(known.error());
    for (const NameMapping& one : *known) {
        if (one.theirs == mapping.theirs && one.meaning == mapping.meaning)
            return {};
    }
    const auto count = m_state->database.integer("SELECT count(*) FROM case_info");
    if (!count)
        return tl::unexpected(count.error());
    // The rows are append-only: a later mapping of the same name is a new row that wins.
    const auto appended = appendRecord(m_state->database, "case_info",
        {fmt::format("{}{}:{}", kMappingPrefix, *count, mapping.theirs), mapping.meaning});
    if (!appended)
        return tl::unexpected(appended.error());
    return {};
}

Result<std::vector<NameMapping>> CaseStore::nameMappings() const
{
    std::vector<NameMapping> newest;
    const auto done = m_state->database.forEach(
        "SELECT name, value FROM case_info WHERE name LIKE ? ORDER BY seq",
        {fmt::format("{}%", kMappingPrefix)}, [&](const Row& row) {
            const std::string name = textOf(row.at(0));
            const std::size_t colon = name.find(':', kMappingPrefix.size());
            NameMapping mapping{name.substr(colon + 1), textOf(row.at(1))};
            std::erase_if(
                newest, [&](const NameMapping& one) { return one.theirs == mapping.theirs; });
            newest.push_back(std::move(mapping));
            return true;
        });
    if (!done)
        return tl::unexpected(done.error());
    return newest;
}

Result<void> CaseStore::settle() const
{
    if (!m_state->lock)
        return notAWriter(m_state->folder);
    return m_state->database.forEach(
        "PRAGMA wal_checkpoint(TRUNCATE)", {}, [](const Row&) { return true; });
}

}  // namespace firstbad::core
