// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/bisect/loci.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>

namespace firstbad::core {
namespace {

struct FamilyOps {
    std::string_view family;
    std::array<std::string_view, 16> ops;  ///< of one block; empty names at the end do not count
};

constexpr std::array<FamilyOps, 3> kFamilies{{
    {"gpt2",
        {"ln_1", "attn.qkv", "attn.scores", "attn.softmax", "attn.context", "attn.out",
            "residual_1", "ln_2", "mlp.fc", "mlp.act", "mlp.out", "residual_2"}},
    {"llama",
        {"norm_1", "attn.q", "attn.k", "attn.v", "attn.rope", "attn.scores", "attn.softmax",
            "attn.context", "attn.out", "residual_1", "norm_2", "mlp.gate", "mlp.up", "mlp.act",
            "mlp.out", "residual_2"}},
    {"glm",
        {"ln_in", "attn.qkv", "attn.rope", "attn.q_scaled", "attn.scores", "attn.softmax",
            "attn.context", "attn.out", "residual_1", "ln_post", "mlp.h_to_4h", "mlp.act",
            "mlp.out", "residual_2"}},
}};

}  // namespace

std::vector<std::string_view> opsOf(
    std::string_view family, std::int64_t block, std::int64_t blocks)
{
    const auto* found = std::find_if(kFamilies.begin(), kFamilies.end(),
        [family](const FamilyOps& names) { return names.family == family; });
    if (found == kFamilies.end())
        return {};
    if (block < 0)
        return {"embedding"};
    if (block >= blocks)
        return {"final_norm", "logits", "loss"};
    std::vector<std::string_view> ops;
    for (const auto op : found->ops) {
        if (!op.empty())
            ops.push_back(op);
    }
    return ops;
}

std::string locusOf(std::int64_t block, std::string_view op, std::int64_t blocks)
{
    if (block < 0 || block >= blocks)
        return std::string(op);
    return fmt::format("blocks.{}.{}", block, op);
}

std::string boundaryOf(std::int64_t block, std::int64_t blocks)
{
    if (block < 0)
        return "embedding";
    return block >= blocks ? std::string("head") : fmt::format("blocks.{}", block);
}

}  // namespace firstbad::core
