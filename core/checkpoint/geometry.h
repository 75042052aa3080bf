// SPDX-License-Identifier: GPL-3.0-or-later
// Checks of shapes, strides and offsets that a file claims, in arithmetic that cannot overflow.
//
// Pure functions; any thread. Cost is in the number of dimensions, never in elements.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace firstbad::core {

/// What is wrong with a view; `error` is a word of `scan`.
struct ViewProblem {
    std::string error;  ///< negative-size, size-overflow, out-of-bounds-view
    std::string text;  ///< "reaches element 27 of a storage of 16"
};

inline constexpr std::size_t kMaxDimensions = 64;

/// Product of the sizes; nullopt when one is negative or the product is beyond 2^63 - 1.
[[nodiscard]] std::optional<std::uint64_t> elementCount(std::span<const std::int64_t> sizes);

/// One past the last element that the view touches; 0 for a view of nothing; nullopt on overflow.
[[nodiscard]] std::optional<std::uint64_t> viewEnd(std::int64_t offset,
    std::span<const std::int64_t> sizes, std::span<const std::int64_t> strides);

/// nullopt when the view is sound and lies within `storageElements`. Strides of 0 are legal.
[[nodiscard]] std::optional<ViewProblem> checkView(std::int64_t offset,
    std::span<const std::int64_t> sizes, std::span<const std::int64_t> strides,
    std::uint64_t storageElements);

/// Row-major (or column-major) strides; the sizes have been checked.
[[nodiscard]] std::vector<std::int64_t> denseStrides(
    std::span<const std::int64_t> sizes, bool columnMajor = false);

}  // namespace firstbad::core
