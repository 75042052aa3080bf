// SPDX-License-Identifier: GPL-3.0-or-later
// What the tests of the rules ask of a judgement. Header only; one thread.
#pragma once

#include "core/detect/judge.h"
#include "tests/support/catch.h"
#include "tests/support/run_builder.h"

#include <algorithm>
#include <limits>

namespace firstbad::test {

inline constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
inline constexpr double kInf = std::numeric_limits<double>::infinity();

[[nodiscard]] inline core::Judgement judged(RunBuilder& builder)
{
    const core::Run run = builder.take();
    core::JobContext job;
    auto judgement = core::judge(run, {}, core::Settings(), job);
    REQUIRE(judgement);
    return std::move(*judgement);
}

[[nodiscard]] inline const core::Incident* find(
    const core::Judgement& judgement, core::IncidentKind kind)
{
    const auto& all = judgement.incidents;
    const auto found = std::find_if(
        all.begin(), all.end(), [&](const core::Incident& one) { return one.kind == kind; });
    return found != all.end() ? &*found : nullptr;
}

[[nodiscard]] inline std::size_t faults(const core::Judgement& judgement)
{
    return static_cast<std::size_t>(
        std::count_if(judgement.incidents.begin(), judgement.incidents.end(),
            [](const core::Incident& one) { return one.verdict == core::IncidentClass::Fault; }));
}

}  // namespace firstbad::test
