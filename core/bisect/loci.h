// SPDX-License-Identifier: GPL-3.0-or-later
// Loci: names of the places of a model (contracts.md 5), in the order in which a lane passes them.
//
// Pure functions over one table of families; any thread.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace firstbad::core {

/// Short names of the ops of one block, first to last: -1 the embedding, `blocks` the head. Empty
/// for an unknown family.
[[nodiscard]] std::vector<std::string_view> opsOf(
    std::string_view family, std::int64_t block, std::int64_t blocks);

/// "embedding", "blocks.3.attn.scores", "logits".
[[nodiscard]] std::string locusOf(std::int64_t block, std::string_view op, std::int64_t blocks);

/// "embedding", "blocks.3", "head": the output of a block.
[[nodiscard]] std::string boundaryOf(std::int64_t block, std::int64_t blocks);

}  // namespace firstbad::core
