// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/checkpoint/huggingface/shard_names.h"

#include "core/base/number.h"
#include "core/base/text.h"

#include <algorithm>
#include <fmt/format.h>
#include <set>

namespace firstbad::core {

namespace {

constexpr std::string_view kBetween = "-of-";
constexpr std::size_t kMaxDigits = 6;
constexpr std::size_t kMaxMissing = 1000;

}  // namespace

std::optional<ShardName> parseShardName(std::string_view name)
{
    const std::size_t dot = name.rfind('.');
    const std::size_t of = name.rfind(kBetween, dot);
    if (dot == std::string_view::npos || of == std::string_view::npos)
        return std::nullopt;
    const std::string_view total = name.substr(of + kBetween.size(), dot - of - kBetween.size());
    const std::size_t dash = name.rfind('-', of == 0 ? 0 : of - 1);
    if (dash == std::string_view::npos || dash == 0 || dash >= of)
        return std::nullopt;
    const std::string_view number = name.substr(dash + 1, of - dash - 1);
    const auto isNumber = [](std::string_view text) {
        return !text.empty() && text.size() <= kMaxDigits
            && std::all_of(text.begin(), text.end(), isAsciiDigit);
    };
    if (!isNumber(number) || !isNumber(total))
        return std::nullopt;
    ShardName shard;
    shard.stem = name.substr(0, dash);
    shard.number = static_cast<std::uint32_t>(parseInteger(number).value_or(0));
    shard.total = static_cast<std::uint32_t>(parseInteger(total).value_or(0));
    shard.digits = number.size();
    shard.extension = name.substr(dot);
    return shard;
}

std::vector<std::string> missingShards(const std::vector<std::string>& names)
{
    const std::set<std::string> there(names.begin(), names.end());
    std::set<std::string> missing;
    for (const std::string& name : names) {
        const auto shard = parseShardName(name);
        if (!shard)
            continue;
        for (std::uint32_t i = 1; i <= shard->total && missing.size() < kMaxMissing; ++i) {
            std::string other = fmt::format("{}-{:0{}}-of-{:0{}}{}", shard->stem, i, shard->digits,
                shard->total, shard->digits, shard->extension);
            if (there.count(other) == 0)
                missing.insert(std::move(other));
        }
    }
    return {missing.begin(), missing.end()};
}

}  // namespace firstbad::core
