// SPDX-License-Identifier: GPL-3.0-or-later
// ColumnBook: the columns of one source by rank and name, with what a dialect knows about names.
//
// One thread. A lookup compares the name with the one expected next, so records that repeat their
// fields in order cost one comparison a field and no allocation.
#pragma once

#include "core/import/record_sink.h"

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

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

    /// The column of `name`. As long as one rank speaks, names stay as they are; when a second one
    /// comes, every column carries its rank.
    [[nodiscard]] ColumnHandle find(
        std::string_view name, std::optional<std::int32_t> rank, RecordSink& sink);

    /// True for lines of the rank that spoke first: only its steps are a clock.
    [[nodiscard]] bool isLeader(std::optional<std::int32_t> rank) const noexcept
    {
        return m_ranks.empty() || m_ranks.front().rank == rank;
    }

private:
    struct Entry {
        std::string name;
        ColumnHandle handle;
    };
    struct RankColumns {
        std::optional<std::int32_t> rank;
        std::vector<Entry> entries;
        std::size_t next = 0;  // where the next lookup is expected
    };

    RankColumns& columnsOf(std::optional<std::int32_t> rank, RecordSink& sink);
    ColumnHandle make(std::string_view name, std::optional<std::int32_t> rank, RecordSink& sink);

    std::span<const NameRule> m_rules;
    std::vector<RankColumns> m_ranks;
};

}  // namespace firstbad::core
