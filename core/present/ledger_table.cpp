// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/present/ledger_table.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

namespace firstbad::core {
namespace {

void addBad(LedgerCell& cell, const LedgerBad& bad)
{
    cell.state = LedgerCell::State::Bad;
    cell.counts.nan += bad.counts.nan;
    cell.counts.posInf += bad.counts.posInf;
    cell.counts.negInf += bad.counts.negInf;
    if (cell.stage.empty())
        cell.stage = bad.stage;
}

void addRow(LedgerCell& cell, const RankLedger& ledger, std::size_t row)
{
    const auto isSet
        = [&](LedgerColumn field) { return ledger.value(field, row).value_or(0.0) != 0.0; };
    if (cell.state == LedgerCell::State::NoRow)
        cell.state = LedgerCell::State::Clean;
    for (const LedgerColumn field : {LedgerColumn::Loss, LedgerColumn::TotalGradNorm}) {
        const auto value = ledger.value(field, row);
        if (!value || isFinite(*value))
            continue;
        cell.state = LedgerCell::State::Bad;
        cell.counts.add(classify(*value));
        if (cell.stage.empty() && field == LedgerColumn::Loss)
            cell.stage = "loss";
    }
    if (const auto stage = ledger.value(LedgerColumn::Stage, row); stage && cell.stage.empty())
        cell.stage
            = kLedgerStages[static_cast<std::size_t>(std::llround(*stage)) % kLedgerStages.size()];
    const bool flagged = isSet(LedgerColumn::LocalBad) || isSet(LedgerColumn::GlobalBad);
    if (flagged && cell.state == LedgerCell::State::Clean)
        cell.state = LedgerCell::State::Flagged;
    if (const auto action = ledger.value(LedgerColumn::Action, row))
        cell.action = kLedgerActions[static_cast<std::size_t>(std::llround(*action))
            % kLedgerActions.size()];
    else if (const auto skipped = ledger.value(LedgerColumn::SkippedStep, row);
             skipped && cell.action.empty())
        cell.action = *skipped != 0.0 ? "skip" : "update";
}

LedgerCell cellAt(const LedgerGroup& group, std::size_t rank, std::int64_t step)
{
    const RankLedger& ledger = *group.ranks()[rank];
    LedgerCell cell;
    for (const LedgerBad& bad : ledger.bads) {
        if (bad.step == step)
            addBad(cell, bad);
    }
    const auto [from, to] = group.keysOfStep(step);
    for (std::size_t key = from; key < to; ++key) {
        if (const auto row = group.rowOf(rank, key))
            addRow(cell, ledger, *row);
    }
    return cell;
}

std::vector<std::int64_t> stepsAround(
    const LedgerGroup& group, std::int64_t focus, std::size_t before, std::size_t after)
{
    std::set<std::int64_t> steps;
    const std::size_t at = group.keysOfStep(focus).first;
    for (std::size_t key = at; key < group.keys().size() && steps.size() <= after; ++key)
        steps.insert(group.keys()[key].step);
    const std::size_t wanted = steps.size() + before;
    for (std::size_t key = at; key-- > 0 && steps.size() < wanted;)
        steps.insert(group.keys()[key].step);
    if (steps.empty() || !steps.contains(focus))
        steps.insert(focus);
    return {steps.begin(), steps.end()};
}

std::vector<LedgerDecisionCount> decisionsOf(
    const std::vector<LedgerTableRow>& rows, std::size_t at)
{
    std::vector<LedgerDecisionCount> counts;
    for (const LedgerTableRow& row : rows) {
        const LedgerCell& cell = row.cells[at];
        if (cell.action.empty())
            continue;
        const auto same = std::find_if(counts.begin(), counts.end(),
            [&](const LedgerDecisionCount& one) { return one.action == cell.action; });
        if (same != counts.end())
            same->ranks += row.ranks.size();
        else
            counts.push_back({cell.action, row.ranks.size()});
    }
    std::stable_sort(counts.begin(), counts.end(),
        [](const LedgerDecisionCount& a, const LedgerDecisionCount& b) {
            return a.ranks > b.ranks;
        });
    return counts;
}

/// Ranks that are not of the majority in a disagreement of a step shown.
std::set<std::int32_t> minorityRanks(
    const LedgerAttempt& attempt, const std::vector<std::int64_t>& steps)
{
    std::set<std::int32_t> ranks;
    for (const Disagreement& one : attempt.disagreements.list) {
        if (!std::binary_search(steps.begin(), steps.end(), one.step))
            continue;
        for (std::size_t i = 1; i < one.values.size(); ++i)
            ranks.insert(one.values[i].ranks.begin(), one.values[i].ranks.end());
    }
    return ranks;
}

bool isIn(const std::vector<std::int32_t>& ranks, std::int32_t rank)
{
    return std::binary_search(ranks.begin(), ranks.end(), rank);
}

int weightOf(const LedgerTableRow& row)
{
    if (row.role == RankRole::Origin)
        return 0;
    return row.disagrees ? 1 : 2;
}

}  // namespace

std::optional<std::int64_t> focusStep(const LedgerAttempt& attempt)
{
    if (attempt.bad.first && !attempt.bad.first->isProbe)
        return attempt.bad.first->step;
    if (!attempt.disagreements.list.empty())
        return attempt.disagreements.list.front().step;
    if (attempt.hang)
        return attempt.hang->step;
    if (attempt.bad.first)
        return attempt.bad.first->step;
    return attempt.group.lastStep();
}

LedgerTable makeLedgerTable(const LedgerAttempt& attempt, std::size_t before, std::size_t after)
{
    LedgerTable table;
    const LedgerGroup& group = attempt.group;
    const auto focus = focusStep(attempt);
    if (!focus)
        return table;
    table.steps = stepsAround(group, *focus, before, after);
    table.focus = static_cast<std::size_t>(
        std::lower_bound(table.steps.begin(), table.steps.end(), *focus) - table.steps.begin());
    const auto minority = minorityRanks(attempt, table.steps);
    for (std::size_t rank = 0; rank < group.ranks().size(); ++rank) {
        LedgerTableRow row;
        const std::int32_t number = group.ranks()[rank]->header.rank;
        row.ranks = {number};
        row.disagrees = minority.contains(number);
        row.role = isIn(attempt.bad.origins, number) ? RankRole::Origin
            : isIn(attempt.bad.victims, number)      ? RankRole::Victim
                                                     : RankRole::Other;
        for (const std::int64_t step : table.steps)
            row.cells.push_back(cellAt(group, rank, step));
        const auto same
            = std::find_if(table.rows.begin(), table.rows.end(), [&](const LedgerTableRow& other) {
                  return other.role == row.role && other.disagrees == row.disagrees
                      && other.cells == row.cells;
              });
        if (same != table.rows.end())
            same->ranks.push_back(number);
        else
            table.rows.push_back(std::move(row));
    }
    std::stable_sort(table.rows.begin(), table.rows.end(),
        [](const LedgerTableRow& a, const LedgerTableRow& b) { return weightOf(a) < weightOf(b); });
    for (std::size_t i = 0; i < table.steps.size(); ++i)
        table.decisions.push_back(decisionsOf(table.rows, i));
    return table;
}

}  // namespace firstbad::core
