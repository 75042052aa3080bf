// SPDX-License-Identifier: GPL-3.0-or-later
// Weights that lie in a checkpoint instead of in files of the capsule.
//
// Opening reads headers; nothing in the checkpoint is executed. Any thread.
#pragma once

#include "replay/weights/weight_source.h"

namespace firstbad::replay {

[[nodiscard]] core::Result<std::unique_ptr<WeightSource>> openCheckpointWeights(
    const core::Capsule& capsule, core::JobContext& job);

}  // namespace firstbad::replay
