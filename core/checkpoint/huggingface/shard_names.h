// SPDX-License-Identifier: GPL-3.0-or-later
// Names of shards: STEM-00002-of-00003.EXT. Pure functions; any thread.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace firstbad::core {

struct ShardName {
    std::string_view stem;
    std::uint32_t number = 0;  ///< counted from 1
    std::uint32_t total = 0;
    std::size_t digits = 0;  ///< of each of the two numbers
    std::string_view extension;  ///< with its dot
};

[[nodiscard]] std::optional<ShardName> parseShardName(std::string_view name);

/// Names that complete the sets which `names` begin; at most 1000.
[[nodiscard]] std::vector<std::string> missingShards(const std::vector<std::string>& names);

}  // namespace firstbad::core
