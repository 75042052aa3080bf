// SPDX-License-Identifier: GPL-3.0-or-later
// The part of CaseStore that keeps evidence.
#include "core/base/file.h"
#include "core/base/hash.h"
#include "core/store/case_folder.h"
#include "core/store/case_state.h"
#include "core/store/case_store.h"
#include "core/store/evidence_file.h"

#include <fmt/format.h>

namespace firstbad::core {
namespace {

namespace fs = std::filesystem;

constexpr auto kSelect = "SELECT seq, time, kind, name, content, file, body FROM evidence";

EvidenceRecord recordFrom(const Row& row)
{
    return {integerOf(row.at(0)), realOf(row.at(1)), textOf(row.at(2)), textOf(row.at(3)),
        textOf(row.at(4)), textOf(row.at(5)), textOf(row.at(6))};
}

Result<void> renameDurably(const fs::path& part, const fs::path& path)
{
    auto done = syncFile(part);
    if (!done)
        return done;
    std::error_code failure;
    fs::rename(part, path, failure);
    if (failure)
        return tl::unexpected(systemError("rename", path, failure.value()));
    return syncFolder(path.parent_path());
}

/// Writes the members under a temporary name; answers their hash and size, fills record.file.
Result<Row> placeFile(const fs::path& folder, std::int64_t number,
    const std::vector<EvidenceMember>& members, EvidenceRecord& record, JobContext& job)
{
    const fs::path part = folder / "evidence" / fmt::format("{:06}{}", number, kPartSuffix);
    auto written = writeEvidenceFile(part, members, job);
    if (!written)
        return tl::unexpected(written.error());
    const auto hash = sha256OfFile(part, job);
    if (!hash)
        return tl::unexpected(hash.error());
    std::error_code failure;
    const auto bytes = static_cast<std::int64_t>(fs::file_size(part, failure));
    record.file = fmt::format("evidence/{:06}-{}.h5", number, hash->substr(0, 16));
    if (auto placed = renameDurably(part, folder / record.file); !placed)
        return tl::unexpected(placed.error());
    return Row{record.file, bytes, *hash};
}

}  // namespace

Result<EvidenceRecord> CaseStore::keep(
    EvidenceRecord record, const std::vector<EvidenceMember>& members, JobContext& job)
{
    if (!m_state->lock)
        return notAWriter(m_state->folder);
    Database& database = m_state->database;
    const auto known
        = database.query(fmt::format("{} WHERE kind = ? AND name = ? AND content = ?", kSelect),
            {record.kind, record.name, record.content});
    if (!known)
        return tl::unexpected(known.error());
    if (!known->empty())
        return recordFrom(known->front());
    const auto number = database.integer("SELECT coalesce(max(seq), 0) + 1 FROM evidence");
    if (!number)
        return tl::unexpected(number.error());
    const auto file = placeFile(m_state->folder, *number, members, record, job);
    if (!file)
        return tl::unexpected(file.error());
    record.time = nowSeconds();
    const auto done = inCommit(database, "evidence", [&](ChainWriter& chain) -> Result<void> {
        if (const auto named = chain.append("files", *file); !named)
            return tl::unexpected(named.error());
        const auto row = chain.append("evidence",
            {record.time, record.kind, record.name, record.content, record.file, record.body});
        if (!row)
            return tl::unexpected(row.error());
        record.id = *row;
        return {};
    });
    if (!done)
        return tl::unexpected(done.error());
    return record;
}

Result<std::vector<EvidenceRecord>> CaseStore::evidence() const
{
    const auto rows = m_state->database.query(fmt::format("{} ORDER BY seq", kSelect));
    if (!rows)
        return tl::unexpected(rows.error());
    std::vector<EvidenceRecord> records;
    for (const Row& row : *rows)
        records.push_back(recordFrom(row));
    return records;
}

Result<std::string> CaseStore::readEvidence(
    const EvidenceRecord& record, const std::string& member, std::uint64_t limit) const
{
    std::string bytes;
    const auto read = readEvidenceMember(
        m_state->folder / record.file, member, [&](std::string_view piece) -> Result<void> {
            if (bytes.size() + piece.size() > limit)
                return fail(ErrorCode::OutOfMemory,
                    fmt::format("{} in {} is larger than {} bytes.", member, record.file, limit));
            bytes += piece;
            return {};
        });
    if (!read)
        return tl::unexpected(read.error());
    return bytes;
}

}  // namespace firstbad::core
