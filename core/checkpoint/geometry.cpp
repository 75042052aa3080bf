// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/checkpoint/geometry.h"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <limits>

namespace firstbad::core {

namespace {

constexpr std::uint64_t kMost
    = static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max());

bool hasNegative(std::span<const std::int64_t> values)
{
    return std::any_of(values.begin(), values.end(), [](std::int64_t v) { return v < 0; });
}

}  // namespace

std::optional<std::uint64_t> elementCount(std::span<const std::int64_t> sizes)
{
    if (hasNegative(sizes))
        return std::nullopt;
    if (std::find(sizes.begin(), sizes.end(), 0) != sizes.end())
        return 0;
    std::uint64_t count = 1;
    for (const std::int64_t size : sizes) {
        const auto factor = static_cast<std::uint64_t>(size);
        if (count > kMost / factor)
            return std::nullopt;
        count *= factor;
    }
    return count;
}

std::optional<std::uint64_t> viewEnd(
    std::int64_t offset, std::span<const std::int64_t> sizes, std::span<const std::int64_t> strides)
{
    if (offset < 0 || hasNegative(strides) || hasNegative(sizes) || sizes.size() != strides.size())
        return std::nullopt;
    if (std::find(sizes.begin(), sizes.end(), 0) != sizes.end())
        return 0;
    auto last = static_cast<std::uint64_t>(offset);
    for (std::size_t i = 0; i < sizes.size(); ++i) {
        const auto steps = static_cast<std::uint64_t>(sizes[i] - 1);
        const auto stride = static_cast<std::uint64_t>(strides[i]);
        if (stride != 0 && steps > (kMost - 1 - std::min(last, kMost - 1)) / stride)
            return std::nullopt;
        last += steps * stride;
    }
    return last + 1;
}

std::optional<ViewProblem> checkView(std::int64_t offset, std::span<const std::int64_t> sizes,
    std::span<const std::int64_t> strides, std::uint64_t storageElements)
{
    if (sizes.size() > kMaxDimensions)
        return ViewProblem{"size-overflow", fmt::format("has {} dimensions", sizes.size())};
    if (hasNegative(sizes))
        return ViewProblem{
            "negative-size", fmt::format("has the size [{}]", fmt::join(sizes, ", "))};
    if (hasNegative(strides) || offset < 0)
        return ViewProblem{"negative-size",
            fmt::format(
                "has the strides [{}] and the offset {}", fmt::join(strides, ", "), offset)};
    if (sizes.size() != strides.size())
        return ViewProblem{"out-of-bounds-view",
            fmt::format("has {} sizes but {} strides", sizes.size(), strides.size())};
    if (!elementCount(sizes))
        return ViewProblem{"size-overflow",
            fmt::format("has the size [{}], more elements than any storage can hold",
                fmt::join(sizes, ", "))};
    const auto end = viewEnd(offset, sizes, strides);
    if (!end)
        return ViewProblem{"size-overflow",
            fmt::format(
                "has the strides [{}], which reach past any storage", fmt::join(strides, ", "))};
    if (*end > storageElements)
        return ViewProblem{"out-of-bounds-view",
            fmt::format("reaches element {} of a storage of {}", *end - 1, storageElements)};
    return std::nullopt;
}

std::vector<std::int64_t> denseStrides(std::span<const std::int64_t> sizes, bool columnMajor)
{
    std::vector<std::int64_t> strides(sizes.size(), 1);
    std::int64_t step = 1;
    for (std::size_t n = 0; n < sizes.size(); ++n) {
        const std::size_t i = columnMajor ? n : sizes.size() - 1 - n;
        strides[i] = step;
        step *= std::max<std::int64_t>(sizes[i], 1);
    }
    return strides;
}

}  // namespace firstbad::core
