// SPDX-License-Identifier: GPL-3.0-or-later
// What must hold of any description that a checkpoint reader gives, whatever bytes it read.
#pragma once

#include "core/checkpoint/checkpoint.h"
#include "core/checkpoint/geometry.h"

#include <cstdlib>

namespace firstbad::test {

inline void checkDescription(const core::Checkpoint& part)
{
    for (const core::CheckpointTensor& tensor : part.tensors) {
        for (const core::TensorPiece& piece : tensor.pieces) {
            if (piece.storage >= part.storages.size())
                std::abort();
            const auto end = core::viewEnd(piece.storageOffset, piece.sizes, piece.strides);
            const auto bits = core::elementTypeInfo(tensor.type).bits;
            const std::uint64_t itemBytes = (bits + 7U) / 8U;
            if (!end || *end > part.storages[piece.storage].declaredBytes / itemBytes)
                std::abort();
        }
    }
    for (const core::CheckpointDamage& damage : part.damage) {
        if (damage.error.empty() || damage.text.empty())
            std::abort();
    }
}

}  // namespace firstbad::test
