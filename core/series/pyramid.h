// SPDX-License-Identifier: GPL-3.0-or-later
// Pyramid: minima and maxima of a column in levels, so that any zoom shows its true extremes and
// every non-finite sample.
//
// Immutable once built, then safe on any thread; shares the column. Build: one pass. Lookup:
// O(pixel columns x (kBasePoints + log points)). Memory: 0.15 bytes a point, and 8 bytes for each
// non-finite sample.
#pragma once

#include "core/base/value_kind.h"
#include "core/series/column.h"

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

namespace firstbad::core {

/// What one column of pixels has to show.
struct PixelColumn {
    std::size_t firstPoint = 0;  ///< points [firstPoint, endPoint); empty columns have none
    std::size_t endPoint = 0;
    std::optional<double> min;  ///< over finite values
    std::optional<double> max;
    KindCounts counts;
    std::uint64_t missing = 0;  ///< steps named without a value; counted by steps only
};

/// One non-finite sample.
struct NonfiniteMark {
    std::size_t point = 0;
    ValueKind kind = ValueKind::NotANumber;
    bool operator==(const NonfiniteMark&) const = default;
};

class Pyramid
{
public:
    static constexpr std::size_t kBasePoints = 128;  ///< points of a bucket of the lowest level
    static constexpr std::size_t kFanOut = 8;  ///< buckets of one level in one of the next
    static constexpr std::size_t kMaxPixels = 1U << 20U;

    explicit Pyramid(std::shared_ptr<const Column> column);

    [[nodiscard]] const Column& column() const noexcept { return *m_column; }

    /// Points [from, to) spread over `pixels` columns (at most kMaxPixels).
    [[nodiscard]] std::vector<PixelColumn> byPoints(
        std::size_t from, std::size_t to, std::size_t pixels) const;

    /// Steps first..last (both included) spread over `pixels` columns. A column whose steps go back
    /// is scanned as a whole, and its pixel columns name no points.
    [[nodiscard]] std::vector<PixelColumn> bySteps(
        std::int64_t first, std::int64_t last, std::size_t pixels) const;

    /// Non-finite samples of [from, to) in order, at most `limit` of them.
    [[nodiscard]] std::vector<NonfiniteMark> marks(
        std::size_t from, std::size_t to, std::size_t limit) const;

    [[nodiscard]] std::size_t memoryBytes() const noexcept;  ///< without the column

private:
    struct Bucket {
        double min;  // +Infinity and -Infinity: no finite value in it
        double max;
        void add(double value) noexcept
        {
            min = value < min ? value : min;
            max = value > max ? value : max;
        }
        void add(const Bucket& other) noexcept
        {
            min = other.min < min ? other.min : min;
            max = other.max > max ? other.max : max;
        }
    };
    static constexpr std::size_t kKinds = 3;  // NaN, +Infinity, -Infinity

    static Bucket emptyBucket() noexcept;
    Bucket baseBucket(std::size_t from, std::size_t to);
    void addNonfinite(std::size_t from, std::size_t to);
    void scan(std::size_t from, std::size_t to, Bucket& bucket) const noexcept;
    [[nodiscard]] Bucket extremes(std::size_t from, std::size_t to) const noexcept;
    [[nodiscard]] PixelColumn pixel(std::size_t from, std::size_t to) const;
    [[nodiscard]] std::vector<PixelColumn> scanSteps(
        std::int64_t first, std::int64_t last, std::size_t pixels) const;
    void countMissing(
        std::int64_t first, std::int64_t last, std::vector<PixelColumn>& pixels) const;

    std::shared_ptr<const Column> m_column;
    std::vector<std::vector<Bucket>> m_levels;
    std::array<std::vector<std::size_t>, kKinds> m_nonfinite;  // points, ascending, by kind
    bool m_stepsAscend = true;
};

}  // namespace firstbad::core
