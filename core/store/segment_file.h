// SPDX-License-Identifier: GPL-3.0-or-later
// Segment files: points of columns as HDF5, built and read in memory so that HDF5 never sees a full
// disk or bytes that nobody hashed. The adapter to HDF5: its codes end here.
//
// A SegmentWriter holds one file image (limit: kSegmentImageBytes and one segment); one thread.
#pragma once

#include "core/base/result.h"
#include "core/series/column.h"

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>

namespace firstbad::core {

inline constexpr std::size_t kSegmentImageBytes = 64U << 20U;
/// Points of one segment: a longer column is cut.
inline constexpr std::size_t kSegmentPoints = 1U << 20U;

/// Points [from, to) and missing steps [missingFrom, missingTo) of a column.
struct ColumnSlice {
    std::size_t from = 0;
    std::size_t to = 0;
    std::size_t missingFrom = 0;
    std::size_t missingTo = 0;
};

/// Fingerprint of a slice: equal for equal points, whatever column they lie in. Times and lines
/// that are absent count as unknown ones. `numbers` maps source indices of the column to the case's
/// own source numbers, which are what is stored.
[[nodiscard]] std::string fingerprint(
    const Column& column, const ColumnSlice& slice, std::span<const std::uint32_t> numbers);

class SegmentWriter
{
public:
    SegmentWriter();
    ~SegmentWriter();
    SegmentWriter(const SegmentWriter&) = delete;
    SegmentWriter& operator=(const SegmentWriter&) = delete;

    /// Writes a slice as the group `place` ("run1/attempt0/series3.part0"); `title` names it for
    /// people. Spans of sources that begin in the slice go with it.
    [[nodiscard]] Result<void> add(const std::string& place, std::string_view title,
        const Column& column, const ColumnSlice& slice, std::span<const std::uint32_t> numbers);
    [[nodiscard]] std::size_t bytes() const noexcept { return m_bytes; }
    /// The finished file.
    [[nodiscard]] Result<std::string> take();

private:
    struct State;
    std::unique_ptr<State> m_state;
    std::size_t m_bytes = 0;
};

class SegmentReader
{
public:
    /// `name` is for messages; the image must outlive nothing: it is copied.
    [[nodiscard]] static Result<SegmentReader> open(std::string name, std::string image);
    SegmentReader(SegmentReader&& other) noexcept;
    SegmentReader& operator=(SegmentReader&& other) noexcept;
    SegmentReader(const SegmentReader&) = delete;
    SegmentReader& operator=(const SegmentReader&) = delete;
    ~SegmentReader();

    /// The group `place` as a column of its own; its spans still count from the whole column's
    /// first point. A size other than the database says is Malformed.
    [[nodiscard]] Result<Column> read(
        const std::string& place, std::uint64_t points, std::uint64_t missing) const;

private:
    struct State;
    explicit SegmentReader(std::unique_ptr<State> state);
    std::unique_ptr<State> m_state;
};

}  // namespace firstbad::core
