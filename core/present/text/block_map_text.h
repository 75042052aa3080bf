// SPDX-License-Identifier: GPL-3.0-or-later
// The block map in characters: lanes by blocks, a glyph and a colour each, ticks above, the first
// bad cell pointed at.
//
// Pure, any thread. Every block has a column as long as they fit; else columns away from the first
// bad stand for several blocks each.
#pragma once

#include "core/present/block_map.h"
#include "core/present/text/text_style.h"

namespace firstbad::core {

/// `pointed` is what stands under the first bad cell: "41.attn.scores".
[[nodiscard]] StyledText blockMapText(
    const BlockMap& map, const std::string& pointed, const TextStyle& style);

}  // namespace firstbad::core
