// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/import/dialects/column_book.h"

#include <algorithm>

namespace firstbad::core {

void ColumnBook::describe(std::string_view name, RawColumn& column) const
{
    const auto rule = std::find_if(m_rules.begin(), m_rules.end(),
        [&](const NameRule& candidate) { return candidate.name == name; });
    if (rule != m_rules.end()) {
        column.quantity = rule->quantity;
        column.unit = rule->unit.empty() ? unitFromName(name, rule->quantity) : rule->unit;
        column.isRunningMean = rule->isRunningMean;
        return;
    }
    // "tracked_stats.grad_norm": the group says nothing
    const std::size_t dot = name.rfind('.');
    if (column.quantity == Quantity::Other && dot != std::string_view::npos)
        column.quantity = quantityFromName(name.substr(dot + 1));
}

ColumnHandle ColumnBook::find(std::string_view name, RecordSink& sink)
{
    const std::size_t known = sink.data().columns.size();
    const ColumnHandle handle = m_cache.column(name, sink);
    if (sink.data().columns.size() > known)
        describe(name, sink.raw(handle));
    return handle;
}

}  // namespace firstbad::core
