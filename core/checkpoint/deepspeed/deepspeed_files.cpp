// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/checkpoint/deepspeed/deepspeed_files.h"

#include "core/base/text.h"

#include <algorithm>

namespace firstbad::core {

namespace {

/// Takes `word` and a number behind it off the front; -1 when they do not stand there.
int takeNumber(std::string_view& text, std::string_view word)
{
    constexpr std::size_t kMaxDigits = 6;
    if (!text.starts_with(word))
        return -1;
    std::string_view rest = text.substr(word.size());
    int number = 0;
    std::size_t length = 0;
    while (length < rest.size() && length < kMaxDigits && isAsciiDigit(rest[length]))
        number = number * 10 + (rest[length++] - '0');
    if (length == 0)
        return -1;
    text = rest.substr(length);
    return number;
}

}  // namespace

std::optional<DeepSpeedFile> parseDeepSpeedFile(std::string_view name)
{
    DeepSpeedFile file;
    std::string_view rest = name;
    for (const std::string_view prefix : {"bf16_", "fp16_"}) {
        if (rest.starts_with(prefix)) {
            file.prefix = prefix;
            rest.remove_prefix(prefix.size());
        }
    }
    file.layer = takeNumber(rest, "layer_");
    if (file.layer >= 0) {
        const bool isExpert = takeNumber(rest, "_expert_") >= 0;
        const int rank = isExpert ? takeNumber(rest, "_mp_rank_") : takeNumber(rest, "-model_");
        file.kind = isExpert ? DeepSpeedFile::Kind::Expert : DeepSpeedFile::Kind::Layer;
        file.modelRank = std::max(rank, 0);
        return rest == "-model_states.pt" || rest == "_model_states.pt" ? std::optional(file)
                                                                        : std::nullopt;
    }
    const int expertRank = takeNumber(rest, "expp_rank_");
    file.dataRank = expertRank >= 0 ? expertRank : takeNumber(rest, "zero_pp_rank_");
    if (file.dataRank >= 0 && rest.starts_with('_'))
        rest.remove_prefix(1);
    const int modelRank = takeNumber(rest, "mp_rank_");
    if (modelRank < 0)
        return std::nullopt;
    file.modelRank = modelRank;
    if (rest == "_model_states.pt")
        file.kind = DeepSpeedFile::Kind::ModelStates;
    else if (rest == "_optim_states.pt")
        file.kind
            = expertRank >= 0 ? DeepSpeedFile::Kind::Expert : DeepSpeedFile::Kind::OptimizerStates;
    else
        return std::nullopt;
    return file;
}

bool isDeepSpeedSave(const std::vector<std::string>& entries)
{
    return std::any_of(entries.begin(), entries.end(),
        [](const std::string& name) { return parseDeepSpeedFile(name).has_value(); });
}

}  // namespace firstbad::core
