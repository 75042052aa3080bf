// SPDX-License-Identifier: GPL-3.0-or-later
// One parameter out of the parts that tensor-parallel ranks hold of it.
//
// Pure functions; the merged tensor owns its memory. Any thread.
#pragma once

#include "core/base/result.h"
#include "replay/families/family.h"

#include <ATen/ATen.h>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace firstbad::replay {

/// The shape of each rank's part; its split dimension is 0 when the ranks cannot share it evenly,
/// which no part fits.
[[nodiscard]] std::vector<std::int64_t> shardShape(const ParamSpec& spec, std::size_t ranks);

/// The whole parameter; `parts` in rank order, at least one, each of shardShape(). Malformed when
/// ranks disagree about a parameter that each of them holds whole.
[[nodiscard]] core::Result<at::Tensor> mergeShards(
    const ParamSpec& spec, const std::vector<at::Tensor>& parts);

}  // namespace firstbad::replay
