// SPDX-License-Identifier: GPL-3.0-or-later
#include "replay/engine/record.h"

#include <algorithm>
#include <c10/core/InferenceMode.h>
#include <fmt/format.h>

namespace firstbad::replay {

namespace {

core::Result<void> runLanes(
    ReplayContext& context, StepRecord& record, const RunOptions& options, core::JobContext& job)
{
    Step step(*context.model, record.plan, record.trace, job);
    if (auto done = step.runMicroSteps(); !done)
        return done;
    record.loss = step.loss();
    record.microLosses = step.microLosses();
    record.forwardBlocks = step.forwardBlocks();
    record.backwardBlocks = step.backwardBlocks();
    step.seeGradients();
    if (!options.update)
        return {};
    const auto update
        = runUpdate(*context.model, record.plan, context.state, step.gradients(), record.trace);
    if (!update)
        return tl::unexpected(update.error());
    record.gradNorm = update->gradNorm;
    record.foundInf = update->foundInf;
    record.skipped = update->skipped;
    record.updated = record.plan.optimizer.has_value() && !update->skipped;
    return {};
}

}  // namespace

bool StepRecord::gradientsBad() const
{
    return std::any_of(trace.cells().begin(), trace.cells().end(),
        [](const TraceCell& cell) { return cell.lane == Lane::Grad && cell.bad(); });
}

StepRecord lookAtInput(const ReplayContext& context, StepPlan plan)
{
    StepRecord record;
    record.plan = std::move(plan);
    const auto ignore = context.capsule.loss.ignoreIndex;
    for (std::size_t micro = 0; micro < record.plan.batches.size(); ++micro) {
        for (auto& fault :
            inputFaults(record.plan.batches[micro], context.model->shape(), ignore)) {
            record.stopped = record.stopped || fault.stops;
            record.faults.emplace_back(static_cast<std::int64_t>(micro), std::move(fault));
        }
    }
    return record;
}

core::Result<StepRecord> runStep(
    ReplayContext& context, StepPlan plan, const RunOptions& options, core::JobContext& job)
{
    StepRecord record = lookAtInput(context, std::move(plan));
    record.trace = Trace(options.sink);
    record.trace.setEnabled(options.probes);
    if (record.stopped)
        return record;
    // LibTorch reports by throwing; nothing of it may leave this folder.
    const c10::InferenceMode noAutograd;
    try {
        if (auto done = runLanes(context, record, options, job); !done)
            return tl::unexpected(done.error());
    } catch (const std::bad_alloc&) {
        return core::fail(core::ErrorCode::OutOfMemory,
            fmt::format("There is not enough memory to run {}.", context.capsule.shownPath),
            "Run it with a memory bound, or on a machine with more memory.");
    } catch (const std::exception& error) {
        const std::string what = error.what();
        return core::fail(core::ErrorCode::Internal,
            fmt::format("LibTorch could not run {}: {}", context.capsule.shownPath,
                what.substr(0, what.find('\n'))),
            "Report this with the capsule.");
    }
    return record;
}

const TraceCell* firstCell(const StepRecord& record, const CellTest& bad)
{
    const auto& cells = record.trace.cells();
    const auto found = std::find_if(cells.begin(), cells.end(), bad);
    return found == cells.end() ? nullptr : &*found;
}

bool fails(const StepRecord& record)
{
    return !record.faults.empty()
        || firstCell(record, [](const TraceCell& cell) { return cell.bad(); }) != nullptr;
}

}  // namespace firstbad::replay
