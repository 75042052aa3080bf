// SPDX-License-Identifier: GPL-3.0-or-later
// ColumnBook: the columns of one reader by name, with what a dialect knows about its names.
//
// One thread. Costs what ColumnCache costs; rules are looked up once a column.
#pragma once

#include "core/import/text/column_cache.h"

#include <span>
#include <string_view>

namespace firstbad::core {

/// What a dialect knows about one of its names and the general table cannot.
struct NameRule {
    std::string_view name;
    Quantity quantity = Quantity::Other;
    std::string_view unit = {};
    bool isRunningMean = false;
};

class ColumnBook
{
public:
    explicit ColumnBook(std::span<const NameRule> rules = {})
        : m_rules(rules)
    { }

    void beginRecord() noexcept { m_cache.beginRecord(); }
    [[nodiscard]] ColumnHandle find(std::string_view name, RecordSink& sink);

private:
    void describe(std::string_view name, RawColumn& column) const;

    std::span<const NameRule> m_rules;
    ColumnCache m_cache;
};

}  // namespace firstbad::core
