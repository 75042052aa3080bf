// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/scan/scan_verdict.h"

#include "core/base/text.h"
#include "core/checkpoint/kinds.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <span>

namespace firstbad::core {
namespace {

bool holdsWord(std::string_view text, std::span<const std::string_view> words)
{
    return std::any_of(words.begin(), words.end(),
        [&](std::string_view word) { return containsIgnoringCase(text, word); });
}

std::string nonfiniteSentence(const CheckpointScan& scan)
{
    const std::size_t bad = badTensors(scan);
    if (bad == 0) {
        const auto scalar
            = std::find_if(scan.badScalars.begin(), scan.badScalars.end(), steersTraining);
        return scalar == scan.badScalars.end()
            ? std::string()
            : fmt::format("{} is {}.", scalar->name, shortNumber(scalar->value));
    }
    std::size_t first = 0;
    while (!isBad(scan.checkpoint.tensors[first], scan.tensors[first]))
        ++first;
    const std::string& name = scan.checkpoint.tensors[first].name;
    return bad == 1 ? fmt::format("{} holds non-finite values.", name)
                    : fmt::format("{} tensors hold non-finite values, the first is {}.", bad, name);
}

bool isOnlyUnknown(const Checkpoint& checkpoint)
{
    return !checkpoint.supported
        && std::all_of(checkpoint.damage.begin(), checkpoint.damage.end(),
            [](const CheckpointDamage& damage) { return damage.error == "not-a-checkpoint"; });
}

}  // namespace

std::string_view toString(ScanVerdict verdict) noexcept
{
    switch (verdict) {
    case ScanVerdict::Finite:
        return "finite";
    case ScanVerdict::Unsupported:
        return "unsupported";
    case ScanVerdict::Nonfinite:
        return "nonfinite";
    case ScanVerdict::Damaged:
        return "damaged";
    case ScanVerdict::Refused:
        break;
    }
    return "refused";
}

bool isBad(const CheckpointTensor& tensor, const TensorScan& scan) noexcept
{
    if (scan.stats.nan > 0 || scan.stats.posInf > 0)
        return true;
    return scan.stats.negInf > 0 && !mayHoldMinusInfinity(tensor);
}

std::size_t badTensors(const CheckpointScan& scan) noexcept
{
    std::size_t bad = 0;
    for (std::size_t t = 0; t < scan.tensors.size(); ++t)
        bad += isBad(scan.checkpoint.tensors[t], scan.tensors[t]) ? 1U : 0U;
    return bad;
}

bool steersTraining(const CheckpointScalar& scalar)
{
    constexpr std::array<std::string_view, 9> kObjects{"optim", "sched", "scaler", "amp", "lr",
        "loss_scale", "param_groups", ".scale", "weight_decay"};
    constexpr std::array<std::string_view, 4> kWatchers{"callbacks", "best", "metric", "early"};
    return holdsWord(scalar.name, kObjects) && !holdsWord(scalar.name, kWatchers);
}

ScanVerdict verdictOf(const CheckpointScan& scan)
{
    const Checkpoint& checkpoint = scan.checkpoint;
    const bool hostile = std::any_of(checkpoint.damage.begin(), checkpoint.damage.end(),
        [](const CheckpointDamage& damage) { return damage.hostile; });
    if (hostile)
        return ScanVerdict::Refused;
    if (isOnlyUnknown(checkpoint))
        return ScanVerdict::Unsupported;
    // Deep nesting is odd and legal: it is told and spoils nothing.
    const bool damaged = std::any_of(checkpoint.damage.begin(), checkpoint.damage.end(),
        [](const CheckpointDamage& damage) { return damage.error != "nesting-limit"; });
    if (damaged || !checkpoint.lost.empty() || !checkpoint.missing.empty())
        return ScanVerdict::Damaged;
    const bool badScalar
        = std::any_of(scan.badScalars.begin(), scan.badScalars.end(), steersTraining);
    if (badTensors(scan) > 0 || badScalar)
        return ScanVerdict::Nonfinite;
    return checkpoint.supported ? ScanVerdict::Finite : ScanVerdict::Unsupported;
}

std::string reasonOf(const CheckpointScan& scan)
{
    const Checkpoint& checkpoint = scan.checkpoint;
    if (!checkpoint.reason.empty())
        return checkpoint.reason;
    const auto hostile = std::find_if(checkpoint.damage.begin(), checkpoint.damage.end(),
        [](const CheckpointDamage& damage) { return damage.hostile; });
    if (hostile != checkpoint.damage.end())
        return hostile->text;
    if (!checkpoint.damage.empty())
        return checkpoint.damage.front().text;
    if (!checkpoint.missing.empty())
        return fmt::format("{} tensors cannot be read in full, the first is {}.",
            checkpoint.missing.size(), checkpoint.missing.front());
    return nonfiniteSentence(scan);
}

}  // namespace firstbad::core
