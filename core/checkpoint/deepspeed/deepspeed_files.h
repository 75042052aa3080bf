// SPDX-License-Identifier: GPL-3.0-or-later
// What the names of DeepSpeed's files say: which rank, which stage, which layer. Pure; any thread.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace firstbad::core {

struct DeepSpeedFile {
    enum class Kind : std::uint8_t { ModelStates, OptimizerStates, Layer, Expert };
    Kind kind = Kind::ModelStates;
    std::string prefix;  ///< "bf16_" and the like, before zero_pp_rank
    int dataRank = -1;  ///< -1: the name has none
    int modelRank = 0;
    int layer = -1;
};

/// nullopt when the name is none of DeepSpeed's.
[[nodiscard]] std::optional<DeepSpeedFile> parseDeepSpeedFile(std::string_view name);

/// True when plain names of a folder are those of one save.
[[nodiscard]] bool isDeepSpeedSave(const std::vector<std::string>& entries);

}  // namespace firstbad::core
