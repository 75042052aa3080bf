// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ledger/disagreement_text.h"

#include "core/base/text.h"
#include "core/ledger/ledger_statement.h"

#include <fmt/format.h>

namespace firstbad::core {

std::string valueText(const DisagreeingValue& value)
{
    if (!value.number)
        return value.text;
    if (value.isFlag)
        return *value.number != 0.0 ? "true" : "false";
    return shortNumber(*value.number);
}

std::string ranksText(const std::vector<std::int32_t>& ranks)
{
    constexpr std::size_t kShort = 24;
    if (ranks.size() == 1)
        return fmt::format("rank {}", ranks.front());
    const std::string ranges = rankRanges(ranks);
    return ranges.size() <= kShort ? "ranks " + ranges : rankCount(ranks.size());
}

std::string disagreementText(const Disagreement& disagreement)
{
    constexpr std::size_t kShown = 4;
    std::string text;
    for (std::size_t i = 0; i < disagreement.values.size() && i < kShown; ++i) {
        const DisagreeingValue& value = disagreement.values[i];
        text += text.empty() ? "" : ", ";
        if (value.attempt)
            text += fmt::format("attempt {} {}", *value.attempt, valueText(value));
        else
            text += fmt::format("{} {}", ranksText(value.ranks), valueText(value));
    }
    if (disagreement.values.size() > kShown)
        text += fmt::format(", {} more", disagreement.values.size() - kShown);
    return text;
}

}  // namespace firstbad::core
