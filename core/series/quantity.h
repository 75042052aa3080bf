// SPDX-License-Identifier: GPL-3.0-or-later
// Canonical names of what a series measures (contracts.md 1), found from the source's own name.
//
// Pure functions over a constant table; any thread.
#pragma once

#include <cstdint>
#include <string_view>

namespace firstbad::core {

enum class Quantity : std::uint8_t {
    Loss,
    GradNorm,
    LossScale,
    LearningRate,
    Skipped,
    NanIterations,
    ParamNorm,
    UpdateNorm,
    Tokens,
    Samples,
    Throughput,
    StepTime,
    Other,
};

/// "loss", "grad_norm", ...: the JSON spelling.
[[nodiscard]] std::string_view toString(Quantity quantity) noexcept;

/// The quantity that a source's own name stands for: "lm loss", "train/grad_norm", "gnorm", "lr",
/// ... Evaluation losses, running means, norms of one layer and unknown names are Other.
[[nodiscard]] Quantity quantityFromName(std::string_view name);

/// The unit a name or quantity implies: "ms", "s", "tokens", "tokens/s", "" when none is known.
[[nodiscard]] std::string_view unitFromName(std::string_view name, Quantity quantity);

}  // namespace firstbad::core
