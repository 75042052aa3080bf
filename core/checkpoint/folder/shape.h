// SPDX-License-Identifier: GPL-3.0-or-later
// Shapes of whole tensors and their chunks: whether chunks cover a tensor exactly once.
//
// Pure functions with checked arithmetic; any thread. n log n in the number of chunks.
#pragma once

#include "core/checkpoint/checkpoint.h"
#include "core/checkpoint/geometry.h"

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace firstbad::core {

/// The piece of a plain tensor: all of it, row-major, from the start of `storage`.
[[nodiscard]] TensorPiece wholePiece(std::uint32_t storage, std::span<const std::int64_t> shape);

/// "[2, 3]"
[[nodiscard]] std::string shapeText(std::span<const std::int64_t> shape);

struct ChunkBox {
    std::vector<std::int64_t> offsets;
    std::vector<std::int64_t> sizes;
};

/// How a set of boxes covers a tensor.
struct Coverage {
    bool outside = false;  ///< a box leaves the tensor, or has another number of dimensions
    std::uint64_t overlapping = 0;  ///< elements covered more than once; a lower bound
    std::uint64_t uncovered = 0;  ///< elements in no box; a lower bound when boxes overlap
};

/// Boxes are held against the shape, against each other and against the number of elements.
[[nodiscard]] Coverage coverage(
    std::span<const std::int64_t> shape, std::span<const ChunkBox> boxes);

}  // namespace firstbad::core
