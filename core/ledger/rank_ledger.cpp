// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ledger/rank_ledger.h"

#include <algorithm>
#include <cmath>

namespace firstbad::core {
namespace {

constexpr std::array<std::string_view, kLedgerColumns> kNames{"step", "micro_step", "line", "loss",
    "local_bad", "first_bad_stage", "accum.expected", "accum.used", "accum.divisor", "loss_scale",
    "loss_scale_after", "learning_rate", "total_grad_norm", "skipped_step", "global_bad",
    "optimizer_steps", "schedule_steps", "consumed_samples", "consumed_tokens", "decision.action"};

}  // namespace

std::string_view toString(LedgerColumn column) noexcept
{
    return kNames[static_cast<std::size_t>(column)];  // NOLINT: enumerators are indices
}

std::optional<std::size_t> stageOrder(std::string_view stage) noexcept
{
    const auto* const found = std::find(kLedgerStages.begin(), kLedgerStages.end(), stage);
    return found != kLedgerStages.end()
        ? std::optional(static_cast<std::size_t>(found - kLedgerStages.begin()))
        : std::nullopt;
}

std::string laneOfStage(std::string_view stage)
{
    if (stage == "loss")
        return "forward";
    if (stage == "grad_local")
        return "grad";
    if (stage == "grad_reduced")
        return "reduced";
    if (stage == "unscale" || stage == "clip")
        return "clipped";
    return std::string(stage);
}

std::int64_t RankLedger::step(std::size_t row) const noexcept
{
    return std::llround(value(LedgerColumn::Step, row).value_or(0.0));
}

std::int64_t RankLedger::microStep(std::size_t row) const noexcept
{
    return std::llround(value(LedgerColumn::MicroStep, row).value_or(0.0));
}

const std::string* RankLedger::samplesOf(std::size_t row) const noexcept
{
    const auto found = std::lower_bound(samples.begin(), samples.end(), row,
        [](const LedgerSamples& one, std::size_t wanted) { return one.row < wanted; });
    return found != samples.end() && found->row == row ? &found->ids : nullptr;
}

std::size_t RankLedger::memoryBytes() const noexcept
{
    std::size_t sum = sizeof(RankLedger) + sampleHashes.capacity() * sizeof(std::uint64_t)
        + marked.capacity() * sizeof(std::uint32_t);
    for (const CompactColumn& one : columns)
        sum += one.bytes();
    for (const LedgerSamples& one : samples)
        sum += sizeof(LedgerSamples) + one.ids.capacity();
    return sum + bads.capacity() * sizeof(LedgerBad)
        + decisions.capacity() * sizeof(LedgerDecision);
}

}  // namespace firstbad::core
