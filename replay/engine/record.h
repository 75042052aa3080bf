// SPDX-License-Identifier: GPL-3.0-or-later
// StepRecord: what one run of the step found, and the places in it.
//
// Plain values once made; one thread.
#pragma once

#include "replay/engine/context.h"

#include <functional>

namespace firstbad::replay {

struct StepRecord {
    Trace trace;
    StepPlan plan;
    std::vector<std::pair<std::int64_t, InputFault>> faults;  ///< with their micro-step
    bool stopped = false;  ///< the input could not be run
    bool updated = false;  ///< clipped, optimizer and param were reached
    std::optional<double> loss;
    std::vector<double> microLosses;
    std::optional<double> gradNorm;
    std::optional<bool> foundInf;
    bool skipped = false;
    std::int64_t forwardBlocks = 0;
    std::int64_t backwardBlocks = 0;

    [[nodiscard]] bool gradientsBad() const;
};

struct RunOptions {
    Trace::Sink sink;
    bool update = true;  ///< go on to the optimizer
    bool probes = true;  ///< false: a plain run, nothing is looked at
};

/// Looks at the input, runs every micro-step, the gradients and the update.
[[nodiscard]] core::Result<StepRecord> runStep(
    ReplayContext& context, StepPlan plan, const RunOptions& options, core::JobContext& job);

/// A record in which only the input was looked at.
[[nodiscard]] StepRecord lookAtInput(const ReplayContext& context, StepPlan plan);

/// The first cell in the total order for which `bad` holds; nullptr when there is none.
using CellTest = std::function<bool(const TraceCell& cell)>;
[[nodiscard]] const TraceCell* firstCell(const StepRecord& record, const CellTest& bad);

/// A cell as the contract's place.
[[nodiscard]] core::ReplayPlace placeOf(
    ReplayContext& context, const StepRecord& record, const TraceCell& cell);

[[nodiscard]] std::optional<core::ReplayPlace> firstBad(
    ReplayContext& context, const StepRecord& record);
[[nodiscard]] std::optional<core::ReplayPlace> firstNan(
    ReplayContext& context, const StepRecord& record);

/// True when the input or any cell is non-finite.
[[nodiscard]] bool fails(const StepRecord& record);

}  // namespace firstbad::replay
