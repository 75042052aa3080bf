// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/import/dialects/column_book.h"

#include <algorithm>
#include <fmt/format.h>

namespace firstbad::core {

ColumnBook::RankColumns& ColumnBook::columnsOf(std::optional<std::int32_t> rank, RecordSink& sink)
{
    const auto known = std::find_if(
        m_ranks.begin(), m_ranks.end(), [&](const RankColumns& own) { return own.rank == rank; });
    if (known != m_ranks.end())
        return *known;
    if (m_ranks.size() == 1 && m_ranks.front().rank) {
        const std::int32_t leader = *m_ranks.front().rank;
        for (const Entry& entry : m_ranks.front().entries) {
            RawColumn& column = sink.raw(entry.handle);
            column.name += fmt::format(" [rank {}]", leader);
            column.rank = RankId{leader};
        }
    }
    m_ranks.push_back({rank, {}, 0});
    return m_ranks.back();
}

ColumnHandle ColumnBook::make(
    std::string_view name, std::optional<std::int32_t> rank, RecordSink& sink)
{
    const bool severalRanks = m_ranks.size() > 1 && rank;
    const ColumnHandle handle = severalRanks ? sink.column(name, RankId{*rank}) : sink.column(name);
    const auto rule = std::find_if(m_rules.begin(), m_rules.end(),
        [&](const NameRule& candidate) { return candidate.name == name; });
    if (rule != m_rules.end()) {
        RawColumn& column = sink.raw(handle);
        column.quantity = rule->quantity;
        column.unit = rule->unit.empty() ? unitFromName(name, rule->quantity) : rule->unit;
        column.isRunningMean = rule->isRunningMean;
        return handle;
    }
    // "tracked_stats.grad_norm": the group says nothing
    RawColumn& column = sink.raw(handle);
    const std::size_t dot = name.rfind('.');
    if (column.quantity == Quantity::Other && dot != std::string_view::npos)
        column.quantity = quantityFromName(name.substr(dot + 1));
    return handle;
}

ColumnHandle ColumnBook::find(
    std::string_view name, std::optional<std::int32_t> rank, RecordSink& sink)
{
    RankColumns& own = columnsOf(rank, sink);
    for (std::size_t tried = 0; tried < own.entries.size(); ++tried) {
        if (own.next >= own.entries.size())
            own.next = 0;
        const Entry& entry = own.entries[own.next++];
        if (entry.name == name)
            return entry.handle;
    }
    const ColumnHandle handle = make(name, rank, sink);
    own.entries.push_back({std::string(name), handle});
    own.next = own.entries.size();
    return handle;
}

}  // namespace firstbad::core
