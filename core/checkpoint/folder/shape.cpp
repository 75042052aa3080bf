// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/checkpoint/folder/shape.h"

#include <algorithm>
#include <fmt/format.h>
#include <numeric>

namespace firstbad::core {

namespace {

/// Elements that two boxes share.
std::uint64_t sharedElements(const ChunkBox& a, const ChunkBox& b)
{
    std::uint64_t shared = 1;
    for (std::size_t i = 0; i < a.sizes.size(); ++i) {
        const std::int64_t from = std::max(a.offsets[i], b.offsets[i]);
        const std::int64_t to = std::min(a.offsets[i] + a.sizes[i], b.offsets[i] + b.sizes[i]);
        if (to <= from)
            return 0;
        shared *= static_cast<std::uint64_t>(to - from);
    }
    return shared;
}

bool fits(const ChunkBox& box, std::span<const std::int64_t> shape)
{
    if (box.offsets.size() != shape.size() || box.sizes.size() != shape.size())
        return false;
    for (std::size_t i = 0; i < shape.size(); ++i) {
        if (box.offsets[i] < 0 || box.sizes[i] < 0 || box.sizes[i] > shape[i]
            || box.offsets[i] > shape[i] - box.sizes[i])
            return false;
    }
    return true;
}

/// Boxes sorted along the dimension that separates most of them, so that the comparison of
/// neighbours ends early.
std::uint64_t overlapOf(std::span<const ChunkBox> boxes, std::size_t dimensions)
{
    if (dimensions == 0)
        return boxes.size() > 1 ? boxes.size() - 1 : 0;
    std::size_t best = 0;
    std::size_t bestPlaces = 0;
    for (std::size_t d = 0; d < dimensions; ++d) {
        std::vector<std::int64_t> places;
        places.reserve(boxes.size());
        for (const ChunkBox& box : boxes)
            places.push_back(box.offsets[d]);
        std::sort(places.begin(), places.end());
        const auto count
            = static_cast<std::size_t>(std::unique(places.begin(), places.end()) - places.begin());
        if (count > bestPlaces) {
            bestPlaces = count;
            best = d;
        }
    }
    std::vector<std::size_t> order(boxes.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
        return boxes[a].offsets[best] < boxes[b].offsets[best];
    });
    std::uint64_t overlapping = 0;
    constexpr std::size_t kMaxComparisons = 4'000'000;
    std::size_t comparisons = 0;
    for (std::size_t i = 0; i < order.size(); ++i) {
        const ChunkBox& box = boxes[order[i]];
        const std::int64_t end = box.offsets[best] + box.sizes[best];
        for (std::size_t k = i + 1; k < order.size(); ++k) {
            if (boxes[order[k]].offsets[best] >= end || ++comparisons > kMaxComparisons)
                break;
            overlapping += sharedElements(box, boxes[order[k]]);
        }
    }
    return overlapping;
}

}  // namespace

TensorPiece wholePiece(std::uint32_t storage, std::span<const std::int64_t> shape)
{
    TensorPiece piece;
    piece.storage = storage;
    piece.offsets.assign(shape.size(), 0);
    piece.sizes.assign(shape.begin(), shape.end());
    piece.strides = denseStrides(shape);
    return piece;
}

std::string shapeText(std::span<const std::int64_t> shape)
{
    return fmt::format("[{}]", fmt::join(shape, ", "));
}

Coverage coverage(std::span<const std::int64_t> shape, std::span<const ChunkBox> boxes)
{
    Coverage result;
    const auto whole = elementCount(shape);
    result.outside = !whole
        || std::any_of(
            boxes.begin(), boxes.end(), [shape](const ChunkBox& box) { return !fits(box, shape); });
    if (result.outside)
        return result;
    std::uint64_t covered = 0;
    for (const ChunkBox& box : boxes)
        covered += elementCount(box.sizes).value_or(0);
    result.overlapping = overlapOf(boxes, shape.size());
    const std::uint64_t distinct = covered - std::min(covered, result.overlapping);
    result.uncovered = *whole > distinct ? *whole - distinct : 0;
    return result;
}

}  // namespace firstbad::core
