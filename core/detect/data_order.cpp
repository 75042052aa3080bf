// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/detect/data_order.h"

#include "core/base/value_kind.h"
#include "core/detect/finding_text.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <map>
#include <unordered_map>

namespace firstbad::core {
namespace {

constexpr std::string_view kFingerprint = "fingerprint";  // unit of a ledger's sample ids

/// The trace of the same series in the attempt that this one continues.
const Trace* sameIn(const AttemptView& attempt, const Trace& trace)
{
    const auto found = std::find_if(attempt.others.begin(), attempt.others.end(),
        [&](const Trace& other) { return &other.series() == &trace.series() && other.size() > 0; });
    return found != attempt.others.end() ? &*found : nullptr;
}

const AttemptView* parentOf(const RunView& run, const AttemptView& attempt)
{
    const auto parent = attempt.attempt->parent;
    if (!parent || attempt.attempt->isConcurrent)
        return nullptr;
    const auto found = std::find_if(run.attempts.begin(), run.attempts.end(),
        [&](const AttemptView& one) { return one.index == *parent; });
    return found != run.attempts.end() ? &*found : nullptr;
}

// ---- counters

/// Counts per step, from the first two points of the trace that differ in step.
std::optional<double> ratePerStep(const Trace& trace)
{
    for (std::size_t i = 1; i < trace.size(); ++i) {
        const std::int64_t steps = trace.step(i) - trace.step(0);
        const double counted = trace.value(i) - trace.value(0);
        if (steps > 0 && isFinite(counted))
            return counted > 0.0 ? std::optional(counted / static_cast<double>(steps))
                                 : std::nullopt;
    }
    return std::nullopt;
}

bool isCounter(const Trace& trace)
{
    const Quantity quantity = trace.series().quantity;
    if (quantity != Quantity::Samples && quantity != Quantity::Tokens)
        return false;
    return trace.size() >= 2
        && std::is_sorted(trace.values().begin(), trace.values().end())  // cumulative
        && trace.value(0) < trace.value(trace.size() - 1);
}

std::optional<DataSeam> seamOfCounter(
    const AttemptView& child, const Trace& trace, const Trace& before)
{
    const auto rate = ratePerStep(trace);
    const std::size_t after = before.lowerBound(trace.step(0) + 1);
    if (!rate || after == 0 || !isFinite(trace.value(0)) || !isFinite(before.value(after - 1)))
        return std::nullopt;
    const std::size_t last = after - 1;
    const auto steps = static_cast<double>(trace.step(0) - before.step(last));
    const double difference = trace.value(0) - (before.value(last) + steps * *rate);
    // The batch may have grown meanwhile: only more than the steps between can explain is a seam.
    const double tolerance = *rate * std::max(0.5, 0.5 * steps);
    if (!(std::abs(difference) > tolerance))
        return std::nullopt;
    DataSeam seam;
    seam.kind = difference < 0.0 ? DataSeamKind::Repeated : DataSeamKind::LeftOut;
    seam.attempt = child.index;
    seam.step = seam.lastStep = trace.step(0);
    seam.amount = std::llround(std::abs(difference));
    seam.text = fmt::format("{}: {} {} {} at the restart", trace.series().name, seam.amount,
        trace.series().quantity == Quantity::Tokens ? "tokens" : "samples",
        difference < 0.0 ? "are counted again" : "are left out");
    seam.evidence.push_back(before.evidence(last, "count of the attempt before"));
    seam.evidence.push_back(trace.evidence(0,
        fmt::format("first count after the restart; {} a step would give {}", shown(*rate),
            shown(before.value(last) + steps * *rate))));
    return seam;
}

// ---- sample ids

using Batches = std::map<std::int64_t, std::vector<double>>;  // fingerprints by step

Batches batchesOf(const Trace& trace)
{
    Batches batches;
    for (std::size_t i = 0; i < trace.size(); ++i)
        batches[trace.step(i)].push_back(trace.value(i));
    return batches;
}

std::optional<DataSeam> reordered(const AttemptView& child, const Trace& trace, const Trace& before)
{
    const Batches old = batchesOf(before);
    DataSeam seam;
    seam.kind = DataSeamKind::Reordered;
    seam.attempt = child.index;
    std::int64_t compared = 0;
    for (const auto& [step, batch] : batchesOf(trace)) {
        const auto found = old.find(step);
        if (found == old.end())
            continue;
        ++compared;
        if (found->second == batch)
            continue;
        if (seam.amount++ == 0)
            seam.step = step;
        seam.lastStep = step;
    }
    if (seam.amount == 0)
        return std::nullopt;
    seam.text = fmt::format("{} of {} steps that both attempts made used other samples, from step "
                            "{} on",
        seam.amount, compared, seam.step);
    seam.evidence.push_back(before.evidence(
        before.lowerBound(seam.step), "fingerprint of the samples in the attempt before"));
    seam.evidence.push_back(
        trace.evidence(trace.lowerBound(seam.step), "fingerprint of the samples in this attempt"));
    return seam;
}

/// Batches of the attempt before that come again in another step.
std::optional<DataSeam> seenAgain(const AttemptView& child, const Trace& trace, const Trace& before)
{
    std::unordered_map<double, std::int64_t> seen;
    for (std::size_t i = 0; i < before.size() && before.step(i) < trace.step(0); ++i)
        seen.emplace(before.value(i), before.step(i));
    DataSeam seam;
    seam.attempt = child.index;
    std::int64_t earlier = 0;
    for (std::size_t i = 0; i < trace.size(); ++i) {
        const auto found = seen.find(trace.value(i));
        if (found == seen.end())
            continue;
        if (seam.amount++ == 0) {
            seam.step = trace.step(i);
            earlier = found->second;
            seam.evidence.push_back(trace.evidence(i, "fingerprint of the samples"));
        }
        seam.lastStep = trace.step(i);
    }
    if (seam.amount == 0)
        return std::nullopt;
    seam.text = fmt::format("{} batch(es) of the attempt before are seen again: those of step {} "
                            "in step {}",
        seam.amount, earlier, seam.step);
    seam.evidence.push_back(
        before.evidence(before.lowerBound(earlier), "the same fingerprint before the restart"));
    return seam;
}

void addSeams(const AttemptView& child, const AttemptView& parent, std::vector<DataSeam>& seams)
{
    const auto add = [&](std::optional<DataSeam> seam) {
        if (seam)
            seams.push_back(std::move(*seam));
        return seam.has_value();
    };
    for (const Trace& trace : child.others) {
        const Trace* before = trace.size() > 0 ? sameIn(parent, trace) : nullptr;
        if (!before)
            continue;
        if (trace.series().unit == kFingerprint) {
            if (!add(reordered(child, trace, *before)))
                add(seenAgain(child, trace, *before));
        } else if (isCounter(trace) && isCounter(*before)) {
            add(seamOfCounter(child, trace, *before));
        }
    }
}

}  // namespace

std::vector<DataSeam> dataSeams(const RunView& run)
{
    std::vector<DataSeam> seams;
    for (const AttemptView& child : run.attempts) {
        const AttemptView* parent = parentOf(run, child);
        if (!parent)
            continue;
        std::vector<DataSeam> own;
        addSeams(child, *parent, own);
        // Ranks and counters tell of one restart: once for each kind.
        for (DataSeam& seam : own) {
            const bool told = std::any_of(seams.begin(), seams.end(), [&](const DataSeam& one) {
                return one.attempt == seam.attempt && one.kind == seam.kind;
            });
            if (!told)
                seams.push_back(std::move(seam));
        }
    }
    return seams;
}

}  // namespace firstbad::core
