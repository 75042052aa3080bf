// SPDX-License-Identifier: GPL-3.0-or-later
// The index of a sharded model (model.safetensors.index.json): which file holds which tensor.
//
// Reads at most 256 MB of JSON with a depth of 64; linear; any thread. Believes no file name.
#pragma once

#include "core/base/result.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace firstbad::core {

struct WeightIndex {
    std::optional<std::uint64_t> totalSize;
    std::vector<std::pair<std::string, std::string>> weights;  ///< tensor, file; in file order
    std::string problem;  ///< why it is no index, or not all of one; empty when it is sound
};

[[nodiscard]] WeightIndex parseWeightIndex(std::string_view json);

}  // namespace firstbad::core
