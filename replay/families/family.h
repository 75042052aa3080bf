// SPDX-License-Identifier: GPL-3.0-or-later
// Family: a kind of model as tables of named ops and parameters, with its blocks run by hand.
//
// Adding one: a file pair <name>_family.{h,cpp} and one line in family_table.cpp. Stateless; any
// thread. Blocks are functions over tensors that report every value through a BlockRun.
#pragma once

#include "core/base/json_reader.h"
#include "replay/families/block_run.h"

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace firstbad::replay {

/// How one tensor is cut between tensor-parallel ranks.
enum class ShardRule : std::uint8_t { Replicated, Rows, Columns, GatedRows };

struct ParamSpec {
    std::string name;  ///< as in the checkpoint, without an optional prefix
    std::string key;  ///< inside its block: "attn.qkv.weight"
    std::string op;  ///< that reads it first
    std::vector<std::int64_t> shape;
    ShardRule shard = ShardRule::Replicated;
};

/// One op of a block and what it reads: names of ops of the block, "<" for the block's input.
struct OpSpec {
    std::string_view name;
    std::vector<std::string_view> reads;
};

struct Family {
    std::string_view name;
    std::string_view optionalPrefix;  ///< of parameter names
    bool rmsNorm = false;  ///< kind of the final norm
    core::Result<ModelShape> (*shape)(const core::JsonValue& config) = nullptr;
    /// Parameters of block -1 .. N in order of use. A tied head has no table of its own.
    std::vector<ParamSpec> (*parameters)(const ModelShape& shape, std::int64_t block) = nullptr;
    std::span<const OpSpec> (*ops)() = nullptr;
    Tensor (*forward)(BlockRun& run, const Tensor& input) = nullptr;
    Tensor (*backward)(BlockRun& run, const Tensor& gradient) = nullptr;
};

[[nodiscard]] std::span<const Family* const> familyTable() noexcept;
/// Unsupported names the families that are known.
[[nodiscard]] core::Result<const Family*> familyNamed(std::string_view name);

/// Ops of any block, the embedding (-1) and the head (N) included.
[[nodiscard]] std::span<const OpSpec> opsOf(
    const Family& family, const ModelShape& shape, std::int64_t block);
/// "blocks.3.attn.scores", "embedding", "logits".
[[nodiscard]] std::string locusOf(const ModelShape& shape, std::int64_t block, std::string_view op);

}  // namespace firstbad::replay
