// SPDX-License-Identifier: GPL-3.0-or-later
#include "replay/engine/replay_engine.h"

#include "replay/engine/dump.h"
#include "replay/engine/engine_parts.h"
#include "replay/engine/predicates.h"

#include <ATen/Parallel.h>
#include <chrono>
#include <fmt/format.h>
#include <thread>

namespace firstbad::replay {

namespace {

using Clock = std::chrono::steady_clock;

double secondsSince(Clock::time_point start)
{
    return std::chrono::duration<double>(Clock::now() - start).count();
}

/// The same number of threads in every run: sums are split alike.
void fixThreads()
{
    at::set_num_threads(static_cast<int>(std::max(1U, std::thread::hardware_concurrency())));
}

/// First bad of every further run, to tell a persistent fault from a transient one.
std::string transienceOf(std::int64_t failed, std::int64_t times)
{
    if (times < 2)
        return {};
    return failed == 0 || failed == times ? "persistent" : "transient";
}

}  // namespace

ReplayEngine::ReplayEngine(std::unique_ptr<Parts> parts)
    : m_parts(std::move(parts))
{ }
ReplayEngine::ReplayEngine(ReplayEngine&&) noexcept = default;
ReplayEngine& ReplayEngine::operator=(ReplayEngine&&) noexcept = default;
ReplayEngine::~ReplayEngine() = default;

core::Result<ReplayEngine> ReplayEngine::open(
    const core::Capsule& capsule, std::uint64_t memoryBytes, core::JobContext& job)
{
    fixThreads();
    auto parts = std::make_unique<Parts>();
    auto check = core::verifyCapsule(capsule, job);
    if (!check)
        return tl::unexpected(check.error());
    for (const auto& problem : check->problems) {
        if (problem.code == "missing-file")
            return core::fail(core::ErrorCode::NotFound, problem.text);
    }
    parts->check = std::move(*check);
    try {
        auto context = openContext(capsule, memoryBytes, job);
        if (!context)
            return tl::unexpected(context.error());
        parts->context = std::move(*context);
    } catch (const std::exception& error) {
        return core::fail(core::ErrorCode::Internal,
            fmt::format("LibTorch could not load {}: {}", capsule.shownPath, error.what()));
    }
    return ReplayEngine(std::move(parts));
}

std::vector<std::string> replayFamilies()
{
    std::vector<std::string> names;
    for (const auto* family : familyTable())
        names.emplace_back(family->name);
    return names;
}

core::Result<StepRecord> ReplayEngine::Parts::run(
    const Variation& variation, const RunOptions& options, core::JobContext& job)
{
    auto plan = planOf(context, variation);
    if (!plan)
        return tl::unexpected(plan.error());
    return runStep(context, std::move(*plan), options, job);
}

double ReplayEngine::Parts::forwardEquivalents(const StepRecord& record) const
{
    const auto blocks = static_cast<double>(context.model->shape().blocks + 2)
        * static_cast<double>(std::max<std::size_t>(1, record.plan.batches.size()));
    return (static_cast<double>(record.forwardBlocks)
               + 2.0 * static_cast<double>(record.backwardBlocks))
        / blocks;
}

core::Result<core::ReplayResult> ReplayEngine::Parts::resultOf(const StepRecord& record,
    const std::optional<core::ReplayPlace>& first, const Variation& variation,
    core::JobContext& job)
{
    core::ReplayResult out;
    out.capsule = context.capsule.shownPath;
    out.device = "cpu";
    out.precision = record.plan.precision.name;
    out.blocks = context.model->shape().blocks;
    out.fidelity = fidelityOf(context, record.plan, check);
    out.loss = record.loss;
    out.gradNorm = record.gradNorm;
    out.foundInf = record.foundInf;
    out.skipped = record.skipped;
    out.lanes = lanesOf(record);
    out.firstBad = first;
    out.firstNan = firstNan(context, record);
    out.entryBad = context.entryBad;
    out.findings = findingsOf(context, record);
    out.reproduced = reproducedAs(context, record, first);
    std::optional<bool> finiteAtLowerScale;
    if (dependsOnScale(context, first)) {
        Variation unscaled = variation;
        unscaled.lossScale = 1.0;
        const auto lower = run(unscaled, {{}, false, true}, job);
        if (!lower)
            return tl::unexpected(lower.error());
        finiteAtLowerScale = !fails(*lower);
    }
    const Verdict verdict = verdictOf(context, record, first, finiteAtLowerScale);
    out.verdictKind = verdict.kind;
    out.verdictClass = verdict.level;
    out.verdictWhy = verdict.why;
    out.cost.forwardEquivalents = forwardEquivalents(record);
    return out;
}

core::ReplayLanes lanesOf(const StepRecord& record)
{
    core::ReplayLanes lanes;
    lanes.forward.emplace();
    lanes.backward.emplace();
    lanes.grad.emplace();
    if (record.updated) {
        lanes.clipped.emplace();
        lanes.optimizer.emplace();
        lanes.param.emplace();
    }
    for (const auto& seen : record.trace.cells()) {
        switch (seen.lane) {
        case Lane::Forward:
            lanes.forward->push_back(seen.cell);
            break;
        case Lane::Backward:
            lanes.backward->push_back(seen.cell);
            break;
        case Lane::Grad:
            lanes.grad->push_back(seen.cell);
            break;
        case Lane::Clipped:
            if (lanes.clipped)
                lanes.clipped->push_back(seen.cell);
            break;
        case Lane::Optimizer:
            lanes.optimizer->push_back(seen.cell);
            break;
        case Lane::Param:
            lanes.param->push_back(seen.cell);
            break;
        case Lane::Input:
            break;
        }
    }
    return lanes;
}

core::Result<core::ReplayResult> ReplayEngine::sweep(
    const core::ReplayRequest& request, const EngineEvents& events, core::JobContext& job)
{
    const auto start = Clock::now();
    const Variation variation = variationOf(request);
    auto predicate = Predicate::make(*m_parts, request, job);
    if (!predicate)
        return tl::unexpected(predicate.error());
    auto dump = TensorDump::open(request.dump, m_parts->context.model->shape());
    if (!dump)
        return tl::unexpected(dump.error());
    RunOptions options;
    if (dump->active() || predicate->needsTensors())
        options.sink = [&](const TracePoint& point, const Tensor& tensor) {
            dump->add(point, tensor);
            predicate->see(point, tensor);
        };
    const auto record = m_parts->run(variation, options, job);
    if (!record)
        return tl::unexpected(record.error());
    if (auto written = dump->finish(); !written)
        return tl::unexpected(written.error());
    const auto first = predicate->first(m_parts->context, *record, {});
    if (first && events.firstBad)
        events.firstBad(*first);
    auto result = m_parts->resultOf(*record, first, variation, job);
    if (!result)
        return result;
    std::int64_t failed = first ? 1 : 0;
    for (std::int64_t time = 1; time < request.times; ++time) {
        const auto again = m_parts->run(variation, {}, job);
        if (!again)
            return tl::unexpected(again.error());
        failed += predicate->first(m_parts->context, *again, {}) ? 1 : 0;
    }
    result->transience = transienceOf(failed, request.times);
    result->cost.seconds = secondsSince(start);
    return result;
}

core::Result<core::ProbeResult> ReplayEngine::probe(
    const core::ReplayRequest& request, const EngineEvents& events, core::JobContext& job)
{
    const auto record = m_parts->run(variationOf(request), {}, job);
    if (!record)
        return tl::unexpected(record.error());
    const auto& shape = m_parts->context.model->shape();
    core::ProbeResult out;
    out.step.probe = request.probe;
    out.step.result = "skip";
    out.step.evaluatedBlocks = record->forwardBlocks;
    const std::string lane = request.lane.empty() ? "forward" : request.lane;
    for (const auto& seen : record->trace.cells()) {
        const bool whole = locusOf(shape, seen.cell.block, seen.cell.op) == request.probe
            || seen.cell.tensor == request.probe
            || locusOf(shape, seen.cell.block, "").starts_with(request.probe + ".");
        if (toString(seen.lane) == lane && whole && seen.cell.microStep == request.microStep)
            out.cell = seen.cell;
    }
    if (out.cell)
        out.step.result = out.cell->state == core::CellState::Finite ? "good" : "bad";
    out.firstBad = firstBad(m_parts->context, *record);
    if (events.probe)
        events.probe(out.step);
    return out;
}

}  // namespace firstbad::replay
