// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/store/chain.h"

#include "core/base/assert.h"
#include "core/base/hash.h"
#include "core/base/text.h"

#include <algorithm>
#include <bit>
#include <fmt/format.h>

namespace firstbad::core {
namespace {

void putNumber(std::string& bytes, std::uint64_t number)
{
    for (unsigned shift = 0; shift < 64; shift += 8)
        bytes += static_cast<char>((number >> shift) & 0xFFU);
}

void putText(std::string& bytes, std::string_view text)
{
    putNumber(bytes, text.size());
    bytes += text;
}

void putCell(std::string& bytes, const Cell& cell)
{
    bytes += static_cast<char>('0' + cell.index());
    if (const auto* integer = std::get_if<std::int64_t>(&cell)) {
        putNumber(bytes, static_cast<std::uint64_t>(*integer));
    } else if (const auto* real = std::get_if<double>(&cell)) {
        // SQLite gives -0.0 back as 0.0: both count as one value here.
        const double plain = std::bit_cast<std::uint64_t>(*real) == 1ULL << 63U ? 0.0 : *real;
        putNumber(bytes, std::bit_cast<std::uint64_t>(plain));
    } else if (const auto* text = std::get_if<std::string>(&cell)) {
        putText(bytes, *text);
    }
}

const TableSpec* findTable(std::string_view name)
{
    const auto tables = tableSpecs();
    const auto at = std::find_if(
        tables.begin(), tables.end(), [&](const TableSpec& table) { return table.name == name; });
    return at == tables.end() ? nullptr : &*at;
}

std::string headText(std::string_view table, std::int64_t seq, std::string_view hash)
{
    return fmt::format("{}:{}:{};", table, seq, hash);
}

struct ChainEnd {
    std::int64_t seq = 0;
    std::string hash;
};

void report(CaseCheck& check, BrokenChain broken)
{
    check.problems.push_back({Severity::Error, "broken-chain",
        fmt::format("case.db: row {} of table {}: {}", broken.row, broken.table, broken.reason),
        Where{"case.db", {}, {}}});
    check.broken.push_back(std::move(broken));
}

Result<ChainEnd> walk(const Database& database, const TableSpec& table, CaseCheck& check,
    std::map<std::int64_t, std::string>& commitHeads)
{
    ChainEnd end;
    bool whole = true;
    const bool isCommits = table.name == "commits";
    const std::string sql
        = fmt::format("SELECT seq, {}, hash FROM {} ORDER BY seq", columnNames(table), table.name);
    auto done = database.forEach(sql, {}, [&](const Row& row) {
        const std::int64_t seq = integerOf(row.front());
        const Row cells(row.begin() + 1, row.end() - 1);
        if (whole && seq != end.seq + 1) {
            report(check, {std::string(table.name), end.seq + 1, "it is missing."});
            whole = false;
        }
        const std::string hash = textOf(row.back());
        if (whole && rowHash(table.name, end.hash, seq, cells) != hash) {
            report(check,
                {std::string(table.name), seq, "its hash does not follow from its contents."});
            whole = false;
        }
        if (isCommits)
            commitHeads[seq] = textOf(cells.back());
        ++check.rows;
        end = {seq, hash};
        return true;
    });
    if (!done)
        return tl::unexpected(done.error());
    return end;
}

}  // namespace

std::string rowHash(
    std::string_view table, std::string_view previous, std::int64_t seq, const Row& cells)
{
    std::string bytes;
    putText(bytes, table);
    putText(bytes, previous);
    putNumber(bytes, static_cast<std::uint64_t>(seq));
    for (const Cell& cell : cells)
        putCell(bytes, cell);
    return sha256Hex(bytes);
}

Result<ChainWriter::Head*> ChainWriter::head(std::string_view table)
{
    if (const auto at = m_heads.find(table); at != m_heads.end())
        return &at->second;
    auto last = m_database.query(
        fmt::format("SELECT seq, hash FROM {} ORDER BY seq DESC LIMIT 1", table));
    if (!last)
        return tl::unexpected(last.error());
    const TableSpec* spec = findTable(table);
    FB_ASSERT(spec != nullptr);
    Head head;
    if (!last->empty()) {
        head.seq = integerOf(last->front().at(0));
        head.hash = textOf(last->front().at(1));
    }
    std::string marks = "?";
    for (std::size_t i = 0; i <= columnCount(*spec); ++i)
        marks += ",?";
    head.insertSql = fmt::format(
        "INSERT INTO {} (seq, {}, hash) VALUES ({})", table, columnNames(*spec), marks);
    return &m_heads.emplace(std::string(table), std::move(head)).first->second;
}

Result<std::int64_t> ChainWriter::append(std::string_view table, const Row& cells)
{
    auto found = head(table);
    if (!found)
        return tl::unexpected(found.error());
    Head& last = **found;
    const std::int64_t seq = last.seq + 1;
    const std::string hash = rowHash(table, last.hash, seq, cells);
    Row row{seq};
    row.insert(row.end(), cells.begin(), cells.end());
    row.emplace_back(hash);
    auto done = m_database.run(last.insertSql, row);
    if (!done)
        return tl::unexpected(done.error());
    last.seq = seq;
    last.hash = hash;
    ++m_appended;
    return seq;
}

Result<void> ChainWriter::appendCommit(double time, std::string_view what)
{
    std::string heads;
    for (const TableSpec& table : tableSpecs()) {
        if (table.name == "commits")
            continue;
        auto last = head(table.name);
        if (!last)
            return tl::unexpected(last.error());
        heads += headText(table.name, (*last)->seq, (*last)->hash);
    }
    auto seq = append("commits", {time, std::string(what), heads});
    if (!seq)
        return tl::unexpected(seq.error());
    return {};
}

Result<void> checkChains(const Database& database, CaseCheck& check)
{
    std::map<std::int64_t, std::string> commitHeads;
    std::map<std::string, ChainEnd> ends;
    for (const TableSpec& table : tableSpecs()) {
        auto end = walk(database, table, check, commitHeads);
        if (!end)
            return tl::unexpected(end.error());
        ends[std::string(table.name)] = *end;
    }
    const std::string heads = commitHeads.empty() ? std::string() : commitHeads.rbegin()->second;
    for (const TableSpec& table : tableSpecs()) {
        const std::string name(table.name);
        const bool isBroken = std::any_of(check.broken.begin(), check.broken.end(),
            [&](const BrokenChain& broken) { return broken.table == name; });
        if (table.name == "commits" || isBroken)
            continue;
        const ChainEnd& end = ends[name];
        if (heads.find(headText(name, end.seq, end.hash)) == std::string::npos)
            report(check,
                {name, end.seq + 1,
                    "the last commit names another end: rows are missing or extra."});
    }
    return {};
}

}  // namespace firstbad::core
