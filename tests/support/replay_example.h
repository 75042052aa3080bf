// SPDX-License-Identifier: GPL-3.0-or-later
// A result of a replay as tests of codecs, texts and commands use it: fp16 scores that overflow.
//
// Plain values; any thread.
#pragma once

#include "core/bisect/loci.h"
#include "core/protocol/replay_result.h"

#include <limits>

namespace firstbad::test {

/// State of the cell at (block, op) of a forward pass that goes bad at attn.scores of `badBlock`.
[[nodiscard]] inline core::ReplayCell exampleCell(
    std::int64_t block, std::string_view op, std::int64_t badBlock)
{
    core::ReplayCell cell;
    cell.block = block;
    cell.op = op;
    cell.maxAbs = 2.5;
    cell.state = core::CellState::Finite;
    const bool before = block < badBlock
        || (block == badBlock
            && (op == "ln_1" || op == "ln_in" || op == "norm_1" || op == "attn.qkv"
                || op == "attn.rope" || op == "attn.q_scaled" || op == "attn.q" || op == "attn.k"
                || op == "attn.v"));
    if (before)
        return cell;
    const bool first = block == badBlock && op == "attn.scores";
    cell.state = first ? core::CellState::Inf : core::CellState::NaN;
    (first ? cell.posInf : cell.nan) = first ? 1 : 10;
    return cell;
}

[[nodiscard]] inline core::ReplayPlace examplePlace(std::int64_t block)
{
    core::ReplayPlace place;
    place.lane = "forward";
    place.block = block;
    place.op = "attn.scores";
    place.locus = "blocks." + std::to_string(block) + ".attn.scores";
    place.tensor = "output";
    place.kind = "Infinity";
    place.elementIndex = {1, 2, 7, 3};
    place.operands = {{"query row", {1, 2, 7}, {31.5, 14.25, -12.0, 0.5, 1.0, 2.0}, ""},
        {"key row", {1, 2, 3}, {1093.0, 1463.0, -688.0, 2.0, 4.0, 1.0}, ""},
        {"sum", {}, {66113.8}, "over 65504: +Inf in fp16"}};
    return place;
}

[[nodiscard]] inline core::ReplayResult exampleSweep(
    std::string_view family, std::int64_t blocks, std::int64_t badBlock)
{
    core::ReplayResult result;
    result.capsule = "step.capsule";
    result.device = "cpu";
    result.precision = "fp16";
    result.fidelity = {{"weights", "same", "SHA-256 507ae33f"}, {"batch", "same", ""},
        {"dropout", "off", ""}, {"device", "different", "cuda:0 then, cpu now"}};
    result.reproduced = "yes";
    result.blocks = blocks;
    result.loss = std::numeric_limits<double>::quiet_NaN();
    result.foundInf = true;
    result.skipped = true;
    result.lanes.forward.emplace();
    result.lanes.backward.emplace();
    for (std::int64_t block = -1; block <= blocks; ++block) {
        for (const auto op : core::opsOf(family, block, blocks)) {
            result.lanes.forward->push_back(exampleCell(block, op, badBlock));
            result.lanes.backward->push_back(exampleCell(blocks, op, badBlock));
            result.lanes.backward->back().block = block;
        }
    }
    result.firstBad = examplePlace(badBlock);
    result.verdictKind = "nonfinite-loss";
    result.verdictClass = "fault";
    result.verdictWhy = "the sum of the products passes the largest fp16 value";
    result.cost = {1.08, 0.0};
    return result;
}

}  // namespace firstbad::test
