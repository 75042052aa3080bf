// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/present/text/ledger_text.h"

#include "core/base/text.h"
#include "core/ledger/disagreement_text.h"
#include "core/present/ledger_table.h"
#include "core/present/text/glyph_table.h"
#include "core/present/text/line_builder.h"
#include "core/present/text/phrases.h"
#include "core/present/text/text_table.h"

#include <algorithm>
#include <fmt/format.h>

namespace firstbad::core {
namespace {

constexpr int kIndent = 12;
constexpr std::size_t kStepsBefore = 2;
constexpr std::size_t kStepsAfter = 4;

Mark markOf(const LedgerCell& cell)
{
    if (cell.state == LedgerCell::State::NoRow)
        return Mark::Missing;
    if (cell.state != LedgerCell::State::Bad)
        return cell.state == LedgerCell::State::Flagged ? Mark::Unknown : Mark::Finite;
    const bool infinite = cell.counts.posInf + cell.counts.negInf > 0;
    if (cell.counts.nan > 0)
        return infinite ? Mark::Both : Mark::NotANumber;
    return cell.counts.negInf > 0 && cell.counts.posInf == 0 ? Mark::MinusInfinity
                                                             : Mark::PlusInfinity;
}

/// Mark, first letter of the stage, and an arrow when the update was not made.
Span cellSpan(const LedgerCell& cell, const TextStyle& style)
{
    Span span = markSpan(markOf(cell), style);
    if (cell.stage == "grad_reduced")
        span.text += 'R';
    else if (!cell.stage.empty())
        span.text += static_cast<char>(cell.stage.front() - 'a' + 'A');
    if (cell.action == "skip")
        span.text += markSpan(Mark::Skipped, style).text;
    else if (cell.action == "stop")
        span.text += '!';
    return span;
}

std::string shortAction(const std::string& action)
{
    return action == "update" ? "up" : action == "rollback" ? "back" : action;
}

Span decisionSpan(const std::vector<LedgerDecisionCount>& counts)
{
    Span span;
    for (const LedgerDecisionCount& one : counts) {
        span.text += span.text.empty() ? "" : "/";
        span.text += counts.size() > 1 ? fmt::format("{}{}", one.ranks, shortAction(one.action))
                                       : shortAction(one.action);
    }
    span.role = counts.size() > 1 ? Role::Fault : Role::Muted;
    return span;
}

Span rowHead(const LedgerTableRow& row)
{
    std::string text = ranksText(row.ranks);
    if (row.role == RankRole::Origin)
        text += " origin";
    else if (row.disagrees)
        text += " differs";
    else if (row.role == RankRole::Victim)
        text += " reached";
    const bool loud = row.role == RankRole::Origin || row.disagrees;
    return {std::move(text), loud ? Role::Fault : Role::Plain};
}

void addTable(StyledText& out, const LedgerAttempt& attempt, const TextStyle& style, bool verbose)
{
    constexpr std::size_t kRows = 12;
    const LedgerTable table = makeLedgerTable(attempt, kStepsBefore, kStepsAfter);
    if (table.rows.empty())
        return;
    std::vector<TextTable::Column> columns{{"", TextTable::Align::Left, true}};
    for (std::size_t i = 0; i < table.steps.size(); ++i) {
        const bool focused = table.focus == i;
        columns.push_back({fmt::format("{}{}", focused ? ">" : "", table.steps[i]),
            TextTable::Align::Right, false});
    }
    TextTable text(std::move(columns));
    std::vector<Span> decisions{{"decision", Role::Muted}};
    for (const auto& counts : table.decisions)
        decisions.push_back(decisionSpan(counts));
    text.addRow(std::move(decisions));
    const std::size_t shown = verbose ? table.rows.size() : std::min(table.rows.size(), kRows);
    for (std::size_t i = 0; i < shown; ++i) {
        std::vector<Span> cells{rowHead(table.rows[i])};
        for (const LedgerCell& cell : table.rows[i].cells)
            cells.push_back(cellSpan(cell, style));
        text.addRow(std::move(cells));
    }
    out.emplace_back();
    const StyledText lines = text.lines(style);
    out.insert(out.end(), lines.begin(), lines.end());
    if (shown < table.rows.size())
        out.push_back(
            LineBuilder(style)
                .add(fmt::format("{} more groups of ranks with -v", table.rows.size() - shown),
                    Role::Muted)
                .take());
    out.push_back(LineBuilder(style)
                      .add(Mark::NotANumber)
                      .add(" NaN ", Role::Muted)
                      .add(Mark::PlusInfinity)
                      .add(" Inf ", Role::Muted)
                      .add(Mark::Unknown)
                      .add(" flagged ", Role::Muted)
                      .add(Mark::Missing)
                      .add(" no line ", Role::Muted)
                      .add(Mark::Skipped)
                      .add(" skipped; letter: first stage, R is reduced", Role::Muted)
                      .take());
}

std::string firstBadText(const LedgerAttempt& attempt)
{
    const FirstBad& first = *attempt.bad.first;
    std::string text = fmt::format("step {}", groupedInteger(first.step));
    if (first.microStep != 0)
        text += fmt::format(", micro-step {}", first.microStep);
    if (first.rank)
        text += fmt::format(" · rank {}", *first.rank);
    if (!first.stage.empty())
        text += " · " + first.stage;
    if (first.evidence) {
        const LedgerBad& bad = *first.evidence;
        if (!bad.module.empty())
            text += " · " + bad.module;
        if (!bad.tensor.empty() && bad.tensor != bad.module)
            text += " · " + bad.tensor;
        if (!bad.bucket.empty())
            text += " · bucket " + bad.bucket;
        text += fmt::format(
            " · {} NaN, {} +Inf, {} -Inf", bad.counts.nan, bad.counts.posInf, bad.counts.negInf);
    } else {
        text += fmt::format(" · {} (first seen: no bad line names the place)", first.what);
    }
    return text;
}

std::string originText(const LedgerAttempt& attempt)
{
    if (attempt.bad.bornInReduce && attempt.bad.first->rank)
        return fmt::format(
            "no rank before the reduce; what came out of it was seen by rank {} only",
            *attempt.bad.first->rank);
    if (attempt.bad.bornInReduce)
        return "no rank: every rank was finite before the reduce, the sum was not";
    if (attempt.bad.origins.empty())
        return "unknown: no rank tells of itself before the reduce";
    return rankRanges(attempt.bad.origins);
}

void addFirstBad(StyledText& out, const LedgerAttempt& attempt, const TextStyle& style)
{
    if (!attempt.bad.first) {
        addLabelled(out, style, "first bad", kIndent, "none: no rank names a bad value");
        return;
    }
    addLabelled(out, style, "first bad", kIndent, firstBadText(attempt), Role::Strong);
    if (attempt.bad.first->isProbe)
        addLabelled(out, style, "", kIndent,
            "benign: the scaler looked for its range, all ranks skipped, the updates after are "
            "clean",
            Role::Benign);
    addLabelled(out, style, "origin", kIndent, originText(attempt), Role::Fault);
    if (!attempt.bad.victims.empty())
        addLabelled(out, style, "reached", kIndent,
            fmt::format("{}: {}", rankCount(attempt.bad.victims.size()),
                rankRanges(attempt.bad.victims).substr(0, 200)));
}

void addHang(StyledText& out, const LedgerAttempt& attempt, const TextStyle& style)
{
    if (!attempt.hang)
        return;
    const Hang& hang = *attempt.hang;
    addLabelled(out, style, "hang", kIndent,
        fmt::format("{} waited{} at step {}; {}", ranksText(hang.waiting),
            hang.op.empty() ? std::string() : " in " + hang.op, groupedInteger(hang.step),
            hang.stopped.empty()
                ? hang.because
                : fmt::format("{} stopped: {}", ranksText(hang.stopped), hang.because)),
        Role::Fault);
}

void addDisagreements(StyledText& out, const Disagreements& found, std::string_view label,
    const TextStyle& style, bool verbose)
{
    constexpr std::size_t kShown = 6;
    const std::size_t shown = verbose ? found.list.size() : std::min(found.list.size(), kShown);
    for (std::size_t i = 0; i < shown; ++i)
        addLabelled(out, style, i == 0 ? label : "", kIndent,
            fmt::format("step {} {}: {}", groupedInteger(found.list[i].step), found.list[i].field,
                disagreementText(found.list[i])),
            Role::Fault);
    if (shown < found.total)
        addLabelled(out, style, "", kIndent,
            fmt::format("{} more{}", groupedInteger(static_cast<long long>(found.total - shown)),
                verbose ? "" : " with -v"),
            Role::Muted);
}

void addMissing(StyledText& out, const LedgerAttempt& attempt, const TextStyle& style)
{
    std::vector<std::int32_t> stopped;
    std::int64_t from = 0;
    for (const MissingRank& missing : attempt.missing) {
        if (!missing.hasLedger)
            continue;
        from = stopped.empty() ? missing.fromStep : std::min(from, missing.fromStep);
        stopped.push_back(missing.rank);
    }
    if (!stopped.empty())
        addLabelled(out, style, "missing", kIndent,
            fmt::format("{} from step {} on", ranksText(stopped), groupedInteger(from)));
}

void addChain(StyledText& out, const LedgerReport& report, const TextStyle& style)
{
    std::size_t files = 0;
    std::size_t broken = 0;
    std::string first;
    for (const LedgerAttempt& attempt : report.attempts) {
        for (const RankLedgerPtr& ledger : attempt.group.ranks()) {
            ++files;
            broken += ledger->brokenAt ? 1U : 0U;
            if (ledger->brokenAt && first.empty())
                first = fmt::format("{}, line {}", ledger->path, *ledger->brokenAt);
        }
    }
    addLabelled(out, style, "chain", kIndent,
        broken == 0 ? fmt::format("{} of {} unbroken", files, files)
                    : fmt::format("broken in {} of {} files, first in {}", broken, files, first),
        broken == 0 ? Role::Plain : Role::Fault);
}

void addReport(StyledText& out, const LedgerReport& report, const TextStyle& style, bool verbose)
{
    const LedgerAttempt* const bad = report.firstBadAttempt();
    const auto faulty = std::find_if(
        report.attempts.begin(), report.attempts.end(), [](const LedgerAttempt& attempt) {
            return attempt.disagreements.total > 0 || attempt.hang;
        });
    const LedgerAttempt& shown = bad != nullptr ? *bad
        : faulty != report.attempts.end()       ? *faulty
                                                : report.attempts.back();
    addLabelled(out, style, "ledgers", kIndent,
        fmt::format("{} · {} of {} ranks · attempt {} of {} · steps {}",
            report.run.empty() ? "(unnamed)" : report.run, shown.group.ranks().size(),
            shown.group.worldSize(), shown.group.attempt(), report.attempts.size(),
            stepRange(shown.group.firstStep(), shown.group.lastStep())),
        Role::Strong);
    addFirstBad(out, shown, style);
    addHang(out, shown, style);
    addDisagreements(out, shown.disagreements, "disagree", style, verbose);
    addDisagreements(out, report.acrossAttempts, "data", style, verbose);
    addMissing(out, shown, style);
    addChain(out, report, style);
    addTable(out, shown, style, verbose);
    if (!report.statements.empty())
        out.emplace_back();
    for (const LedgerStatement& one : report.statements) {
        LineBuilder line(style);
        line.add(one.severity == Severity::Error ? Mark::Fault : Mark::Unknown)
            .add(" ")
            .add(one.code, Role::Strong);
        addWrapped(out, style, line, 22, one.text);
    }
}

}  // namespace

StyledText ledgerText(std::span<const LedgerReport> reports, const TextStyle& style, bool verbose)
{
    StyledText out;
    for (const LedgerReport& report : reports) {
        if (!out.empty())
            out.emplace_back();
        addReport(out, report, style, verbose);
    }
    return out;
}

}  // namespace firstbad::core
