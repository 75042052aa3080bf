// SPDX-License-Identifier: GPL-3.0-or-later
// Column: the points of one series in one attempt, in the order in which the source wrote them.
//
// Immutable once built and then safe on any thread. 24 bytes a point (16 without times), plus 4
// when the source has lines. Non-finite values stay where they are; a missing value is kept apart,
// it is no NaN.
#pragma once

#include "core/base/value_kind.h"

#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <vector>

namespace firstbad::core {

/// Time of a point whose source has none.
inline constexpr double kNoTime = std::numeric_limits<double>::quiet_NaN();

/// From point `firstPoint` on, points come from source number `source` of the data set.
struct SourceSpan {
    std::uint64_t firstPoint = 0;
    std::uint32_t source = 0;
};

struct Column {
    std::vector<std::int64_t> steps;
    std::vector<double> values;  ///< parallel to steps
    std::vector<double>
        times;  ///< parallel, seconds since 1970 (NaN: this point has none); or empty
    std::vector<std::uint32_t> lines;  ///< parallel, line in the source counted from 1; or empty
    std::vector<std::int64_t>
        missingSteps;  ///< steps at which the source named the series without a value
    std::vector<SourceSpan> sources;

    [[nodiscard]] std::size_t size() const noexcept { return values.size(); }
    [[nodiscard]] bool empty() const noexcept { return values.empty(); }
    [[nodiscard]] double timeAt(std::size_t point) const noexcept;  ///< NaN when unknown
    [[nodiscard]] std::optional<std::uint32_t> lineAt(std::size_t point) const noexcept;
    [[nodiscard]] std::optional<std::uint32_t> sourceAt(std::size_t point) const noexcept;
};

/// What a column holds, each point seen once. Sums and ranges cover finite values only.
struct ColumnSummary {
    KindCounts counts;
    std::uint64_t missing = 0;
    double sumFinite = 0.0;  ///< compensated sum: exact to about 1e-15 relative
    std::optional<double> min;
    std::optional<double> max;
    std::optional<std::int64_t> firstStep;  ///< in source order
    std::optional<std::int64_t> lastStep;
    std::optional<std::int64_t> firstNonfiniteStep;

    /// Adds the summary of what follows this one.
    void append(const ColumnSummary& next);
};

[[nodiscard]] ColumnSummary summarise(const Column& column);

/// Grows a column in blocks: no doubling copies, so the peak is the data plus one block.
class ColumnBuilder
{
public:
    void add(std::int64_t step, double value, double time, std::uint32_t line);
    void addMissing(std::int64_t step) { m_missingSteps.push_back(step); }

    [[nodiscard]] std::size_t size() const noexcept { return m_size; }
    [[nodiscard]] std::size_t missingSize() const noexcept { return m_missingSteps.size(); }

    /// Copies points [from, to) and missing steps [missingFrom, missingTo) into one column.
    [[nodiscard]] Column slice(
        std::size_t from, std::size_t to, std::size_t missingFrom, std::size_t missingTo) const;
    /// Everything, freeing the blocks on the way.
    [[nodiscard]] Column takeAll();

    [[nodiscard]] std::int64_t stepAt(std::size_t point) const noexcept;
    [[nodiscard]] double valueAt(std::size_t point) const noexcept;
    [[nodiscard]] double timeAt(std::size_t point) const noexcept;

private:
    static constexpr std::size_t kBlock = 1U << 15U;
    struct Block {
        std::vector<std::int64_t> steps;
        std::vector<double> values;
        std::vector<double> times;  // empty until the first known time of the block
        std::vector<std::uint32_t> lines;  // empty until the first known line of the block
    };

    std::vector<Block> m_blocks;
    std::vector<std::int64_t> m_missingSteps;
    std::size_t m_size = 0;
    bool m_hasTimes = false;
    bool m_hasLines = false;
};

}  // namespace firstbad::core
