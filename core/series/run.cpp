// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/series/run.h"

#include <algorithm>
#include <array>

namespace firstbad::core {

std::string_view toString(EventKind kind) noexcept
{
    constexpr std::array<std::string_view, 22> kNames{"run-start", "load", "save", "overflow",
        "scale-change", "grad-overflow", "nonfinite-report", "exception", "signal", "timeout",
        "finished", "aborted", "intervention", "stated-incident", "given-up", "data-change",
        "config-value", "rank-event", "bad-evidence", "decision", "capsule-saved", "note"};
    return kNames.at(static_cast<std::size_t>(kind));
}

std::string_view toString(AttemptEnd end) noexcept
{
    constexpr std::array<std::string_view, 5> kNames{
        "unknown", "finished", "exception", "signal", "timeout"};
    return kNames.at(static_cast<std::size_t>(end));
}

std::string_view toString(StepAxis axis) noexcept
{
    constexpr std::array<std::string_view, 5> kNames{"step", "update", "samples", "tokens", "time"};
    return kNames.at(static_cast<std::size_t>(axis));
}

std::uint64_t Series::points() const noexcept
{
    std::uint64_t total = 0;
    for (const auto& column : columns)
        total += column ? column->size() : 0;
    return total;
}

const Series* Run::find(Quantity quantity) const noexcept
{
    const auto found = std::find_if(
        series.begin(), series.end(), [&](const Series& one) { return one.quantity == quantity; });
    return found != series.end() ? &*found : nullptr;
}

const Series* Run::find(std::string_view name) const noexcept
{
    const auto found = std::find_if(
        series.begin(), series.end(), [&](const Series& one) { return one.name == name; });
    return found != series.end() ? &*found : nullptr;
}

std::vector<const Series*> Run::findAll(Quantity quantity) const
{
    std::vector<const Series*> all;
    for (const Series& one : series) {
        if (one.quantity == quantity)
            all.push_back(&one);
    }
    return all;
}

}  // namespace firstbad::core
