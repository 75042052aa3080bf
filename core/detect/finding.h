// SPDX-License-Identifier: GPL-3.0-or-later
// Finding: what one rule saw. Evidence: the numbers it saw it in.
//
// Plain values; any thread once built.
#pragma once

#include "core/base/diagnostics.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace firstbad::core {

/// contracts.md 3.
enum class IncidentKind : std::uint8_t {
    NonfiniteLoss,
    NonfiniteGrad,
    NormOverflow,
    LossSpike,
    GradSpike,
    ScaleProbe,
    ScaleCollapse,
    SkipBurst,
    ScaleViolation,
    SilentNonfinite,
    StaleGradient,
    PoisonedState,
    EmptyLoss,
    InputFault,
    RankOrigin,
    RankDisagreement,
    Hang,
    ScheduleDrift,
    NoUpdate,
    Restart,
    ThroughputDrop,
    BadResume,
    Transient,
    ScaleRunaway,
    DataRepeat,
    EmptyAttempt,
    DisplayArtefact,
    None,
};

enum class IncidentClass : std::uint8_t { Unknown, Fault, Benign };

[[nodiscard]] std::string_view toString(IncidentKind kind) noexcept;
[[nodiscard]] std::string_view toString(IncidentClass verdict) noexcept;
[[nodiscard]] IncidentClass defaultClass(IncidentKind kind) noexcept;

/// One number or line that a claim stands on.
struct Evidence {
    std::string what;  ///< sentence with the numbers in it
    std::string series;  ///< name of the series; empty for events
    std::optional<std::int64_t> step;
    std::optional<double> value;  ///< NaN and infinities kept; nullopt is "no value"
    std::string source;  ///< path as shown; filled in by the judge
    std::optional<std::uint64_t> line;
    std::optional<std::uint32_t> sourceIndex = std::nullopt;  ///< into the data set's sources
};

struct Unknown {
    std::string question;
    std::string settleBy;
};

struct Hypothesis {
    std::string cause;  ///< range|domain|mask|data|state|schedule|software|device|race|age
    std::string evidence;
};

/// As deep as the evidence goes; empty members are unknown.
struct Locus {
    std::optional<std::int64_t> step;
    std::optional<std::int64_t> microStep;
    std::optional<std::int32_t> rank;
    std::string lane;  ///< input|forward|loss|backward|grad|reduced|clipped|optimizer|param
    std::string stage;  ///< a ledger's own word
    std::string op;
    std::string tensor;
    bool certain = false;  ///< false: first seen, not proven to be first
};

struct Finding {
    std::string rule;  ///< id of the rule
    IncidentKind kind = IncidentKind::None;
    IncidentClass verdict = IncidentClass::Unknown;
    double confidence = 0.0;  ///< 0..1
    std::size_t attempt = 0;  ///< index into Run::attempts
    std::int64_t onsetStep = 0;
    std::optional<std::int64_t> peakStep;
    std::optional<std::int64_t> endStep;  ///< nullopt: lasts to the end of what was read
    std::optional<bool> recovered;
    std::optional<double> halfLifeSteps;
    std::string title;  ///< one line
    std::vector<Evidence> evidence;
    std::vector<Evidence> against;
    std::vector<Unknown> unknown;
    std::vector<Hypothesis> hypotheses;
    std::optional<std::int32_t> rank;
    std::optional<Locus> firstBad;  ///< for findings of non-finite or bad values
    /// Step at which damage may have begun; restores have to lie before it (nullopt: the onset).
    std::optional<std::int64_t> damageFrom;
    std::optional<std::int64_t> restoreBeforeStep;
};

}  // namespace firstbad::core
