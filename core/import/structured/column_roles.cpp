// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/import/structured/column_roles.h"

#include "core/base/number.h"
#include "core/base/text.h"
#include "core/base/time.h"
#include "core/base/value_kind.h"

#include <algorithm>
#include <array>

namespace firstbad::core {
namespace {

struct StepAlias {
    std::string_view name;  // lower case without blanks, '_' and '-'
    StepName step;
};

constexpr std::array kStepAliases{
    StepAlias{"step", {0, StepAxis::Step}},
    StepAlias{"globalstep", {1, StepAxis::Step}},
    StepAlias{"iteration", {2, StepAxis::Step}},
    StepAlias{"iterations", {2, StepAxis::Step}},
    StepAlias{"iter", {3, StepAxis::Step}},
    StepAlias{"iternum", {3, StepAxis::Step}},
    StepAlias{"numupdates", {4, StepAxis::Update}},
    StepAlias{"update", {5, StepAxis::Update}},
    StepAlias{"updates", {5, StepAxis::Update}},
    StepAlias{"currentsteps", {7, StepAxis::Step}},
    StepAlias{"currentstep", {7, StepAxis::Step}},
    StepAlias{"stepnum", {8, StepAxis::Step}},
    StepAlias{"steps", {8, StepAxis::Step}},
    StepAlias{"trainstep", {8, StepAxis::Step}},
    StepAlias{"optimizerstep", {9, StepAxis::Update}},
    StepAlias{"it", {10, StepAxis::Step}},
    StepAlias{"schritt", {11, StepAxis::Step}},
    StepAlias{"paso", {11, StepAxis::Step}},
    StepAlias{"\xc3\xa9tape", {11, StepAxis::Step}},
    StepAlias{"\xe6\xad\xa5", {11, StepAxis::Step}},
    StepAlias{"\xe6\xad\xa5\xe6\x95\xb0", {11, StepAxis::Step}},
    StepAlias{"batch", {20, StepAxis::Step}},
    StepAlias{"batchidx", {20, StepAxis::Step}},
    StepAlias{"consumedsamples", {50, StepAxis::Samples}},
    StepAlias{"consumedtokens", {60, StepAxis::Tokens}},
    StepAlias{"epoch", {70, StepAxis::Step}},
};

// A group in front ("trainer/global_step", "train.step") is believed for these only.
constexpr int kLastGroupedOrder = 8;
constexpr int kWandbStepOrder = 6;
constexpr int kGroupPenalty = 30;

std::string compact(std::string_view name)
{
    std::string out;
    for (const char c : trimmed(name)) {
        if (c != ' ' && c != '_' && c != '-' && c != '#')
            out += toLowerAscii(c);
    }
    return out;
}

template <std::size_t N>
bool isOneOf(std::string_view word, const std::array<std::string_view, N>& words)
{
    return std::find(words.begin(), words.end(), word) != words.end();
}

}  // namespace

std::string_view lastPart(std::string_view name) noexcept
{
    const std::size_t at = name.find_last_of("/.");
    return at == std::string_view::npos || at + 1 == name.size() ? name : name.substr(at + 1);
}

std::optional<StepName> stepName(std::string_view name)
{
    if (trimmed(name) == "_step")
        return StepName{kWandbStepOrder, StepAxis::Step};
    const std::string_view last = lastPart(name);
    const std::string words = compact(last);
    for (const StepAlias& alias : kStepAliases) {
        if (alias.name != words)
            continue;
        StepName found = alias.step;
        if (last.size() == name.size())
            return found;
        if (found.order > kLastGroupedOrder)
            return std::nullopt;
        found.order += kGroupPenalty;
        return found;
    }
    return std::nullopt;
}

bool namesTime(std::string_view name)
{
    constexpr std::array<std::string_view, 13> kNames{"timestamp", "time", "ts", "walltime",
        "datetime", "date", "timems", "createdat", "@timestamp", "unixtime", "epochtime", "asctime",
        "loggedat"};
    return isOneOf(compact(lastPart(name)), kNames);
}

bool namesRank(std::string_view name)
{
    constexpr std::array<std::string_view, 3> kNames{"rank", "globalrank", "rankid"};
    return isOneOf(compact(name), kNames);
}

bool namesBookkeeping(std::string_view name)
{
    return name == "_runtime" || name.substr(0, 6) == "_wandb" || name == "_timestamp";
}

bool namesIdentity(std::string_view name)
{
    constexpr std::array<std::string_view, 6> kWords{
        "hash", "_id", "uuid", "commit", "sha", "version"};
    return std::any_of(kWords.begin(), kWords.end(),
        [&](std::string_view word) { return containsIgnoringCase(lastPart(name), word); });
}

bool namesEvaluation(std::string_view name)
{
    constexpr std::array<std::string_view, 4> kStarts{"eval", "val", "test", "dev"};
    return std::any_of(kStarts.begin(), kStarts.end(), [&](std::string_view start) {
        return name.size() > start.size() && equalsIgnoringCase(name.substr(0, start.size()), start)
            && (start != "val" || !equalsIgnoringCase(name.substr(0, 5), "value"));
    });
}

std::optional<double> secondsFromClock(double value)
{
    constexpr double kFirst = 946684800.0;  // 2000-01-01
    constexpr double kLast = 4102444800.0;  // 2100-01-01
    if (!isFinite(value))
        return std::nullopt;
    for (const double unit : {1.0, 1e3, 1e6, 1e9}) {
        if (value >= kFirst * unit && value <= kLast * unit)
            return value / unit;
    }
    return std::nullopt;
}

std::optional<double> secondsFromClock(std::string_view text)
{
    if (const auto time = parseTimePrefix(trimmed(text)))
        return time->seconds;
    const auto number = parseNumber(text);
    return number ? secondsFromClock(number->value) : std::nullopt;
}

std::string_view NameMap::canonical(std::string_view name) const
{
    for (const auto& [theirs, meaning] : m_pairs) {
        if (theirs == name)
            return meaning;
    }
    return {};
}

std::optional<ColumnRole> NameMap::role(std::string_view name) const
{
    const std::string_view meaning = canonical(name);
    if (meaning.empty())
        return std::nullopt;
    if (meaning == "step")
        return ColumnRole::Step;
    if (meaning == "time")
        return ColumnRole::Time;
    if (meaning == "rank")
        return ColumnRole::Rank;
    return meaning == "ignore" ? ColumnRole::Ignored : ColumnRole::Value;
}

std::optional<Quantity> NameMap::quantity(std::string_view name) const
{
    const std::string_view meaning = canonical(name);
    for (auto i = 0; i <= static_cast<int>(Quantity::Other); ++i) {
        const auto quantity = static_cast<Quantity>(i);
        if (!meaning.empty() && toString(quantity) == meaning)
            return quantity;
    }
    return std::nullopt;
}

bool NameMap::namesAStep() const
{
    return std::any_of(
        m_pairs.begin(), m_pairs.end(), [](const auto& pair) { return pair.second == "step"; });
}

}  // namespace firstbad::core
