// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/present/text/bisect_text.h"

#include "core/present/text/line_builder.h"
#include "core/present/text/replay_text.h"

#include <fmt/format.h>

namespace firstbad::core {
namespace {

constexpr int kIndent = 11;

std::string orInput(const std::string& boundary)
{
    return boundary.empty() ? std::string("the input") : boundary;
}

void addLog(StyledText& out, const OpenBisect& bisect, const TextStyle& style)
{
    for (const auto& row : bisect.rows()) {
        const bool bad = row.verdict == "bad";
        addLabelled(out, style, fmt::format("{:>4}", row.n), 6,
            fmt::format("{:<5} {:<24} {:<8} {}", row.verdict, row.probe, row.by, evidenceText(row)),
            bad ? Role::Fault : Role::Plain);
    }
}

void addStanding(StyledText& out, const OpenBisect& bisect, const TextStyle& style)
{
    const BisectSearch& search = bisect.search();
    switch (search.state()) {
    case BisectState::Blocks:
    case BisectState::Ops:
        addLabelled(out, style, "between", kIndent,
            fmt::format("{} and {}", orInput(search.lastGood()),
                search.firstBad().empty() ? "the end of the lane" : search.firstBad()));
        addLabelled(out, style, "next", kIndent, search.nextProbe(), Role::Strong);
        addLabelled(out, style, "", kIndent,
            "firstbad bisect next looks at it; good, bad or skip say it yourself", Role::Muted);
        break;
    case BisectState::Found:
        addFirstBad(out, *bisect.firstBad(), nullptr, style);
        if (bisect.firstBad()->elementIndex.empty())
            addLabelled(
                out, style, "", kIndent, "firstbad bisect next finds the element", Role::Muted);
        break;
    case BisectState::Clean:
        addLabelled(
            out, style, "clean", kIndent, "the end of this lane is good: search another lane");
        break;
    case BisectState::Stuck:
        addLabelled(out, style, "stuck", kIndent,
            fmt::format("only skipped boundaries are left between {} and {}",
                orInput(search.lastGood()), search.firstBad()),
            Role::Unknown);
        break;
    }
    if (!search.monotone())
        addLabelled(out, style, "pattern", kIndent,
            "not monotone: something good lies behind the first bad", Role::Unknown);
}

}  // namespace

StyledText bisectText(const OpenBisect& bisect, const TextStyle& style)
{
    StyledText out;
    const BisectScope& scope = bisect.search().scope();
    addLabelled(out, style, "bisect", kIndent,
        fmt::format("{} · {} lane · {}", scope.capsule, scope.lane, scope.when), Role::Strong);
    addLog(out, bisect, style);
    out.emplace_back();
    addStanding(out, bisect, style);
    return out;
}

}  // namespace firstbad::core
