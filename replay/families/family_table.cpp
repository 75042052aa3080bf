// SPDX-License-Identifier: GPL-3.0-or-later
#include "replay/families/family.h"
#include "replay/families/glm_family.h"
#include "replay/families/gpt2_family.h"
#include "replay/families/llama_family.h"

#include <array>
#include <fmt/format.h>

namespace firstbad::replay {

namespace {

constexpr std::array<const Family*, 3> kFamilies{
    &kGpt2Family,
    &kLlamaFamily,
    &kGlmFamily,
};

}  // namespace

std::span<const Family* const> familyTable() noexcept
{
    return kFamilies;
}

core::Result<const Family*> familyNamed(std::string_view name)
{
    std::string known;
    for (const auto* family : kFamilies) {
        if (family->name == name)
            return family;
        known += known.empty() ? "" : ", ";
        known += family->name;
    }
    return core::fail(core::ErrorCode::Unsupported,
        fmt::format("The model family \"{}\" cannot be replayed.", name),
        fmt::format("Families that can be: {}.", known));
}

std::span<const OpSpec> opsOf(const Family& family, const ModelShape& shape, std::int64_t block)
{
    static const std::vector<OpSpec> kEmbedding{{"embedding", {}}};
    static const std::vector<OpSpec> kHead{
        {"final_norm", {"<"}}, {"logits", {"final_norm"}}, {"loss", {"logits"}}};
    if (block < 0)
        return kEmbedding;
    return block == shape.blocks ? std::span<const OpSpec>(kHead) : family.ops();
}

std::string locusOf(const ModelShape& shape, std::int64_t block, std::string_view op)
{
    return block < 0 || block >= shape.blocks ? std::string(op)
                                              : fmt::format("blocks.{}.{}", block, op);
}

}  // namespace firstbad::replay
