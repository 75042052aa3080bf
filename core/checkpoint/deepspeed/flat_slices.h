// SPDX-License-Identifier: GPL-3.0-or-later
// Which parameter lies where in the flat vectors of ZeRO: from the files' own mapping, or from the
// order and shapes of the parameters.
//
// Plain values; linear in parameters times ranks; any thread.
#pragma once

#include "core/checkpoint/checkpoint.h"
#include "core/checkpoint/pickle/machine.h"

#include <string>
#include <vector>

namespace firstbad::core {

struct ZeroParameter {
    std::string name;
    std::vector<std::int64_t> shape;
};

/// Parameters of each group in the order of the flat vectors.
using ZeroGroups = std::vector<std::vector<ZeroParameter>>;

/// `param_shapes` of a model states file; empty when it has none.
[[nodiscard]] ZeroGroups readParamShapes(const PickleArena& arena, PickleRef root);

/// What one optimizer states file says of its own vectors.
struct ZeroShard {
    int dataRank = 0;
    int modelRank = 0;
    bool isStage3 = false;
    bool hasMapping = false;
    bool overflowed = false;  ///< the last step before saving was skipped for overflow
    std::vector<std::vector<FlatSlice>> groups;  ///< by group; offsets not yet known
    std::vector<std::int64_t> lengths;  ///< elements of each group's fp32 vector, no padding
};

/// Reads the mapping, the stage and the overflow flag of one file.
[[nodiscard]] ZeroShard readZeroShard(const PickleArena& arena, PickleRef root);

/// Completes the slices of all ranks: offsets inside the parameters, shapes, and whole slices for
/// files without a mapping.
void completeSlices(std::vector<ZeroShard>& shards, const ZeroGroups& groups);

/// The group that a tensor of an optimizer states file belongs to, by its path; nullopt when it is
/// no flat vector.
[[nodiscard]] std::optional<std::size_t> groupOfVector(const CheckpointTensor& tensor);

}  // namespace firstbad::core
