// SPDX-License-Identifier: GPL-3.0-or-later
// What replay, sweep and bisect say to people: certificate, probes, block map, ops, first bad,
// operands, cost.
//
// Pure, any thread.
#pragma once

#include "core/capsule/lint.h"
#include "core/present/text/text_style.h"
#include "core/protocol/replay_result.h"

namespace firstbad::core {

struct ReplayTextOptions {
    bool map = true;  ///< draw the block map
    bool verbose = false;  ///< every line of the certificate, every finding
};

[[nodiscard]] StyledText replayText(const ReplayResult& result, const LintReport& lint,
    const ReplayTextOptions& options, const TextStyle& style);

/// The place, its element, and the operands that made it.
void addFirstBad(
    StyledText& out, const ReplayPlace& place, const ReplayCell* cell, const TextStyle& style);

/// "+Inf 37", "NaN 1,204", "max 2,166": what a cell holds.
[[nodiscard]] std::string cellText(const ReplayCell& cell);

/// "41.attn.scores", "logits": short enough for maps and lists.
[[nodiscard]] std::string shortLocus(const ReplayPlace& place);

}  // namespace firstbad::core
