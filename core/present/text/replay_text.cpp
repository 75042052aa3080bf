// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/present/text/replay_text.h"

#include "core/base/text.h"
#include "core/present/text/block_map_text.h"
#include "core/present/text/line_builder.h"
#include "core/present/text/operand_text.h"
#include "core/present/text/phrases.h"
#include "core/present/text/text_width.h"
#include "core/protocol/replay_codec.h"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>

namespace firstbad::core {
namespace {

constexpr int kIndent = 13;
constexpr int kPlaceIndent = 11;
constexpr std::size_t kShortList = 5;

std::string grouped(std::uint64_t count)
{
    return groupedInteger(static_cast<long long>(count));
}

bool isSame(const FidelityItem& item)
{
    return item.state == "same" || item.state == "off";
}

void addCertificate(
    StyledText& out, const ReplayResult& result, bool verbose, const TextStyle& style)
{
    std::vector<std::string> differ;
    for (const auto& item : result.fidelity) {
        if (!isSame(item))
            differ.push_back(fmt::format("{} {}", item.what, item.state));
    }
    std::string text = fmt::format("{} same", result.fidelity.size() - differ.size());
    if (!differ.empty())
        text += fmt::format(" · {} not: {}", differ.size(), fmt::join(differ, ", "));
    addLabelled(out, style, "certificate", kIndent, text);
    for (std::size_t i = 0; verbose && i < result.fidelity.size(); ++i) {
        const auto& item = result.fidelity[i];
        addLabelled(out, style, "", kIndent,
            fmt::format(
                "{}: {}{}{}", item.what, item.state, item.detail.empty() ? "" : ", ", item.detail),
            Role::Muted);
    }
    std::string reproduced = result.reproduced;
    if (!result.transience.empty())
        reproduced += fmt::format(" · {}", result.transience);
    addLabelled(out, style, "reproduced", kIndent, reproduced,
        result.reproduced == "yes" ? Role::Plain : Role::Unknown);
}

/// Two probes a line: number, locus, verdict, what was seen.
void addSteps(StyledText& out, const std::vector<ProbeStep>& steps, const TextStyle& style)
{
    const int half = std::max(style.columns / 2, 36);
    for (std::size_t i = 0; i < steps.size(); ++i) {
        const bool left = i % 2 == 0;
        LineBuilder line(style);
        const std::string text = cutToWidth(fmt::format("{:>2} {:<18} {:<4} {}", i + 1,
                                                steps[i].probe, steps[i].result, steps[i].evidence),
            half - 1);
        const Role role = steps[i].result == "bad" ? Role::Fault : Role::Plain;
        if (left) {
            out.push_back(line.addFromFile(text, role).take());
            continue;
        }
        const int width = displayWidth(plainText(out.back()));
        out.back().push_back(
            {std::string(static_cast<std::size_t>(std::max(1, half - width)), ' '), Role::Plain});
        for (auto& span : line.addFromFile(text, role).take())
            out.back().push_back(std::move(span));
    }
    if (!steps.empty())
        out.emplace_back();
}

Mark markOf(const ReplayCell& cell)
{
    if (cell.masked || cell.state == CellState::Finite)
        return Mark::Finite;
    if (cell.state == CellState::NaN)
        return Mark::NotANumber;
    if (cell.state == CellState::Both)
        return Mark::Both;
    if (cell.state == CellState::NotLookedAt)
        return Mark::NotLookedAt;
    return cell.posInf > 0 ? Mark::PlusInfinity : Mark::MinusInfinity;
}

const std::vector<ReplayCell>* laneCells(const ReplayResult& result, const std::string& name)
{
    for (const auto& lane : kReplayLanes) {
        const auto& cells = result.lanes.*lane.cells;
        if (lane.name == name && cells)
            return &*cells;
    }
    return nullptr;
}

bool isAt(const ReplayCell& cell, const ReplayPlace& place)
{
    return cell.block == place.block && cell.microStep == place.microStep;
}

/// The ops of the bad block, each with its mark, in the order of the lane.
void addOps(
    StyledText& out, const ReplayResult& result, const ReplayPlace& place, const TextStyle& style)
{
    const auto* cells = laneCells(result, place.lane);
    if (cells == nullptr || (place.lane != "forward" && place.lane != "backward"))
        return;
    LineBuilder line(style);
    line.add(place.block < 0                   ? "embedding"
                : place.block >= result.blocks ? "head"
                                               : fmt::format("block {}", place.block))
        .padTo(kPlaceIndent);
    for (const auto& cell : *cells) {
        if (!isAt(cell, place))
            continue;
        if (line.room() < static_cast<int>(cell.op.size()) + 4) {
            out.push_back(line.take());
            line.padTo(kPlaceIndent);
        }
        line.add(markOf(cell))
            .add(" ")
            .addFromFile(cell.op, cell.op == place.op ? Role::Strong : Role::Plain)
            .add("  ");
    }
    out.push_back(line.take());
    out.emplace_back();
}

const ReplayCell* cellOf(const ReplayResult& result, const ReplayPlace& place)
{
    const auto* cells = laneCells(result, place.lane);
    if (cells == nullptr)
        return nullptr;
    const auto found = std::find_if(cells->begin(), cells->end(), [&](const ReplayCell& cell) {
        return isAt(cell, place) && cell.op == place.op
            && (cell.tensor.empty() || cell.tensor == place.tensor);
    });
    return found == cells->end() ? nullptr : &*found;
}

void addEntryBad(StyledText& out, const ReplayResult& result, const TextStyle& style)
{
    for (std::size_t i = 0; i < std::min(kShortList, result.entryBad.size()); ++i) {
        const auto& bad = result.entryBad[i];
        addLabelled(out, style, i == 0 ? "at entry" : "", kIndent,
            fmt::format("{} is not finite before the step: {} NaN, {} Inf, first at [{}]",
                bad.tensor, bad.nan, bad.posInf + bad.negInf, fmt::join(bad.firstIndex, ", ")),
            Role::Fault);
    }
    if (!result.entryBad.empty())
        addLabelled(out, style, "", kIndent,
            "the fault is of an earlier step: scan the checkpoint before this one");
}

void addFindings(StyledText& out, const ReplayResult& result, bool verbose, const TextStyle& style)
{
    const std::size_t shown
        = verbose ? result.findings.size() : std::min(kShortList, result.findings.size());
    for (std::size_t i = 0; i < shown; ++i) {
        const auto& finding = result.findings[i];
        addLabelled(out, style, i == 0 ? "also" : "", kIndent,
            fmt::format("{} {} block {} {}: {}", finding.code, finding.lane, finding.block,
                finding.op, finding.text),
            finding.severity == "error" ? Role::Fault : Role::Plain);
    }
    if (shown < result.findings.size())
        addLabelled(out, style, "", kIndent,
            fmt::format("and {} more, shown with -v", result.findings.size() - shown), Role::Muted);
}

void addInput(StyledText& out, const LintReport& lint, const TextStyle& style)
{
    for (const auto& finding : lint.findings) {
        if (finding.severity != Severity::Error)
            continue;
        addLabelled(out, style, "input", kIndent,
            fmt::format("{}: {} (firstbad lint lists all)", finding.code, finding.text),
            Role::Unknown);
        return;
    }
}

std::string scalarsText(const ReplayResult& result)
{
    std::vector<std::string> parts{fmt::format("{} on {}", result.precision, result.device)};
    if (result.loss)
        parts.push_back(fmt::format("loss {}", shortNumber(*result.loss)));
    if (result.gradNorm)
        parts.push_back(fmt::format("grad norm {}", shortNumber(*result.gradNorm)));
    if (result.skipped)
        parts.emplace_back("the scaler skips the update");
    return fmt::format("{}", fmt::join(parts, " · "));
}

void addCost(StyledText& out, const ReplayResult& result, const TextStyle& style)
{
    std::string text;
    if (!result.steps.empty())
        text = fmt::format("{} · ", counted(result.steps.size(), "probe"));
    text += fmt::format(
        "{:.2f} forwards · {:.1f} s", result.cost.forwardEquivalents, result.cost.seconds);
    out.push_back(LineBuilder(style).add(text, Role::Muted).take());
}

}  // namespace

std::string cellText(const ReplayCell& cell)
{
    std::vector<std::string> parts;
    if (cell.nan > 0)
        parts.push_back(fmt::format("NaN {}", grouped(cell.nan)));
    if (cell.posInf > 0)
        parts.push_back(fmt::format("+Inf {}", grouped(cell.posInf)));
    if (cell.negInf > 0)
        parts.push_back(fmt::format("-Inf {}", grouped(cell.negInf)));
    if (parts.empty())
        parts.push_back(fmt::format("max {}", shortNumber(cell.maxAbs)));
    return fmt::format("{}", fmt::join(parts, ", "));
}

std::string shortLocus(const ReplayPlace& place)
{
    constexpr std::string_view kBlocks = "blocks.";
    if (place.locus.empty())
        return place.op.empty() ? place.tensor : fmt::format("{} {}", place.op, place.tensor);
    return place.locus.starts_with(kBlocks) ? place.locus.substr(kBlocks.size()) : place.locus;
}

void addFirstBad(
    StyledText& out, const ReplayPlace& place, const ReplayCell* cell, const TextStyle& style)
{
    std::string where = place.locus.empty() ? place.tensor : place.locus;
    if (!place.locus.empty() && place.tensor != "output" && !place.tensor.empty())
        where += fmt::format(" · {}", place.tensor);
    if (!place.elementIndex.empty())
        where += fmt::format("[{}]", fmt::join(place.elementIndex, ", "));
    addLabelled(out, style, "first bad", kPlaceIndent,
        fmt::format("{} lane · micro-step {} · {}", place.lane, place.microStep,
            place.kind.empty() ? "element not looked at" : place.kind),
        Role::Strong);
    addLabelled(out, style, "", kPlaceIndent,
        cell != nullptr ? fmt::format("{}   {}", where, cellText(*cell)) : where);
    if (place.lane == "forward" || place.lane == "backward")
        addLabelled(out, style, "", kPlaceIndent,
            fmt::format("inputs {} · weights {}{}", place.inputsFinite ? "finite" : "not finite",
                place.weightsFinite ? "finite" : "not finite",
                place.inputsFinite && place.weightsFinite ? " · it was made here" : ""));
    addOperands(out, place.operands, style);
}

StyledText replayText(const ReplayResult& result, const LintReport& lint,
    const ReplayTextOptions& options, const TextStyle& style)
{
    StyledText out;
    addCertificate(out, result, options.verbose, style);
    addLabelled(out, style, "step", kIndent, scalarsText(result));
    addInput(out, lint, style);
    addEntryBad(out, result, style);
    out.emplace_back();
    addSteps(out, result.steps, style);
    if (options.map) {
        for (auto& line : blockMapText(makeBlockMap(result),
                 result.firstBad ? shortLocus(*result.firstBad) : std::string(), style))
            out.push_back(std::move(line));
        out.emplace_back();
    }
    if (result.firstBad) {
        addOps(out, result, *result.firstBad, style);
        addFirstBad(out, *result.firstBad, cellOf(result, *result.firstBad), style);
    } else {
        out.push_back(LineBuilder(style).add(Mark::Benign).add(" nothing bad in this step").take());
    }
    addFindings(out, result, options.verbose, style);
    if (!result.verdictWhy.empty())
        addLabelled(out, style, "verdict", kPlaceIndent,
            fmt::format(
                "{} · {} · {}", result.verdictClass, result.verdictKind, result.verdictWhy));
    addCost(out, result, style);
    return out;
}

}  // namespace firstbad::core
