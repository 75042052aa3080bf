// SPDX-License-Identifier: GPL-3.0-or-later
// Halving over block boundaries. Boundaries that were computed on the way are kept, so no block is
// run twice, and every op of a block that ran was looked at: a value that went bad and vanished
// again is seen though the boundary behind it is clean.
#include "replay/engine/engine_parts.h"
#include "replay/engine/predicates.h"

#include <c10/core/InferenceMode.h>
#include <chrono>
#include <fmt/format.h>

namespace firstbad::replay {

namespace {

class Bisection
{
public:
    Bisection(ReplayEngine::Parts& parts, const EngineEvents& events, StepPlan plan,
        const Predicate& predicate, core::JobContext& job)
        : m_parts(parts)
        , m_events(events)
        , m_predicate(predicate)
        , m_job(job)
    {
        m_record.plan = std::move(plan);
    }

    [[nodiscard]] core::Result<void> run(StepRecord checked)
    {
        m_record.faults = std::move(checked.faults);
        m_record.stopped = checked.stopped;
        if (!m_record.faults.empty())
            say("input", "bad", 0, "the input is wrong before the model is asked");
        if (m_record.stopped)
            return {};
        Step step(*m_parts.context.model, m_record.plan, m_record.trace, m_job);
        auto done = searchStep(step);
        m_record.forwardBlocks = step.forwardBlocks();
        m_record.backwardBlocks = step.backwardBlocks();
        return done;
    }

    StepRecord m_record;
    std::vector<core::ProbeStep> m_steps;

private:
    [[nodiscard]] const ModelShape& shape() const { return m_parts.context.model->shape(); }

    void say(std::string probe, std::string result, std::int64_t blocks, std::string evidence)
    {
        m_steps.push_back({std::move(probe), std::move(result), blocks, std::move(evidence)});
        if (m_events.probe)
            m_events.probe(m_steps.back());
    }

    [[nodiscard]] bool holdsAt(std::size_t index) const
    {
        return m_predicate.holds(m_record.trace.cells()[index], index);
    }

    /// Whether the output of a block is bad; it must have been run.
    [[nodiscard]] bool boundaryBad(std::int64_t micro, std::int64_t block) const
    {
        const auto op = opsOf(m_parts.context.model->family(), shape(), block).back().name;
        const auto& cells = m_record.trace.cells();
        for (std::size_t i = 0; i < cells.size(); ++i) {
            const auto& cell = cells[i];
            if (cell.lane == Lane::Forward && cell.cell.microStep == micro
                && cell.cell.block == block && cell.cell.op == op)
                return holdsAt(i);
        }
        return false;
    }

    /// First index at or after `from` that is bad.
    [[nodiscard]] std::optional<std::size_t> firstFrom(std::size_t from) const
    {
        for (std::size_t i = from; i < m_record.trace.cells().size(); ++i) {
            if (holdsAt(i))
                return i;
        }
        return std::nullopt;
    }

    [[nodiscard]] std::string boundaryName(std::int64_t block) const
    {
        if (block < 0)
            return "embedding";
        return block >= shape().blocks ? "loss" : fmt::format("blocks.{}", block);
    }

    [[nodiscard]] core::Result<std::int64_t> runTo(Step& step, std::int64_t block)
    {
        std::int64_t evaluated = 0;
        while (step.nextBlock() <= block) {
            if (auto done = step.forwardBlock(); !done)
                return tl::unexpected(done.error());
            ++evaluated;
        }
        return evaluated;
    }

    /// Halves between a good boundary and the loss; the first bad cell.
    [[nodiscard]] core::Result<std::optional<std::size_t>> searchForward(
        Step& step, std::int64_t micro)
    {
        const std::size_t from = m_record.trace.cells().size();
        std::int64_t good = -2;
        std::int64_t bad = shape().blocks + 1;
        while (bad - good > 1) {
            const auto middle = good + (bad - good) / 2;
            const auto evaluated = runTo(step, middle);
            if (!evaluated)
                return tl::unexpected(evaluated.error());
            const bool isBad = boundaryBad(micro, middle);
            say(boundaryName(middle), isBad ? "bad" : "good", *evaluated,
                *evaluated == 0 ? "known from an earlier probe" : "");
            (isBad ? bad : good) = middle;
        }
        const auto first = firstFrom(from);
        if (bad <= shape().blocks)
            verifyPair(micro, bad, first);
        else if (first)
            say(locusAt(*first), "bad", 0,
                "not monotone: the value is bad here and every boundary behind it is clean");
        return first;
    }

    [[nodiscard]] std::string locusAt(std::size_t index) const
    {
        const auto& cell = m_record.trace.cells()[index].cell;
        return cell.tensor.empty() ? locusOf(shape(), cell.block, cell.op) : cell.tensor;
    }

    /// The block before is clean, this one is bad, and no op before it was.
    void verifyPair(std::int64_t micro, std::int64_t bad, const std::optional<std::size_t>& first)
    {
        if (bad > -1)
            say(boundaryName(bad - 1), boundaryBad(micro, bad - 1) ? "bad" : "good", 0,
                "adjacent pair: the boundary before");
        say(boundaryName(bad), "bad", 0, "adjacent pair: the boundary behind");
        if (!first)
            return;
        const bool earlier = m_record.trace.cells()[*first].cell.block < bad;
        say(locusAt(*first), "bad", 0,
            earlier ? "not monotone: an earlier value is bad and vanishes before its block ends"
                    : "first bad op of the block");
    }

    [[nodiscard]] core::Result<void> searchStep(Step& step)
    {
        for (std::size_t micro = 0; micro < step.microSteps(); ++micro) {
            if (auto started = step.startMicroStep(micro); !started)
                return started;
            const auto bad = searchForward(step, static_cast<std::int64_t>(micro));
            if (!bad)
                return tl::unexpected(bad.error());
            if (*bad)
                return judge(step, **bad);
            const auto found = searchBackward(step);
            if (!found)
                return tl::unexpected(found.error());
            if (*found)
                return finishStep(step);
            step.finishMicroStep();
        }
        return searchUpdate(step);
    }

    /// The verdict and the first NaN need what became of a bad value: the loss, and where that is
    /// finite the gradients.
    [[nodiscard]] core::Result<void> judge(Step& step, std::size_t first)
    {
        if (!m_record.trace.cells()[first].bad())
            return {};
        while (!step.forwardDone()) {
            if (auto done = step.forwardBlock(); !done)
                return done;
        }
        m_record.microLosses = step.microLosses();
        m_record.loss = step.microLosses().back();
        return core::isFinite(*m_record.loss) ? finishStep(step) : core::Result<void>();
    }

    /// What the search left of the step, from within the current micro-step.
    [[nodiscard]] core::Result<void> finishStep(Step& step)
    {
        if (auto done = step.finishMicroSteps(); !done)
            return done;
        return update(step);
    }

    [[nodiscard]] core::Result<bool> searchBackward(Step& step)
    {
        const std::size_t from = m_record.trace.cells().size();
        std::int64_t block = shape().blocks;
        while (!step.backwardDone()) {
            const std::size_t before = m_record.trace.cells().size();
            if (auto done = step.backwardBlock(); !done)
                return tl::unexpected(done.error());
            const auto bad = firstFrom(before);
            say("backward " + boundaryName(block), bad ? "bad" : "good", 1, "");
            --block;
            if (bad) {
                say("backward " + locusAt(*firstFrom(from)), "bad", 0, "first bad op of the block");
                return true;
            }
        }
        return false;
    }

    [[nodiscard]] core::Result<void> searchUpdate(Step& step)
    {
        const std::size_t from = m_record.trace.cells().size();
        if (auto done = update(step); !done)
            return done;
        const auto bad = firstFrom(from);
        say("gradients and update", bad ? "bad" : "good", 0, bad ? locusAt(*bad) : "");
        return {};
    }

    [[nodiscard]] core::Result<void> update(Step& step)
    {
        m_record.loss = step.loss();
        m_record.microLosses = step.microLosses();
        step.seeGradients();
        const auto update = runUpdate(*m_parts.context.model, m_record.plan, m_parts.context.state,
            step.gradients(), m_record.trace);
        if (!update)
            return tl::unexpected(update.error());
        m_record.gradNorm = update->gradNorm;
        m_record.foundInf = update->foundInf;
        m_record.skipped = update->skipped;
        m_record.updated = m_record.plan.optimizer.has_value() && !update->skipped;
        return {};
    }

    ReplayEngine::Parts& m_parts;
    const EngineEvents& m_events;
    const Predicate& m_predicate;
    core::JobContext& m_job;
};

}  // namespace

core::Result<core::ReplayResult> ReplayEngine::bisect(
    const core::ReplayRequest& request, const EngineEvents& events, core::JobContext& job)
{
    const auto start = std::chrono::steady_clock::now();
    const auto predicate = Predicate::make(*m_parts, request, job);
    if (!predicate)
        return tl::unexpected(predicate.error());
    // A lane asked for, or a comparison of tensors, needs the whole pass.
    if (!request.lane.empty() || predicate->needsTensors()) {
        auto swept = sweep(request, events, job);
        return swept;
    }
    const Variation variation = variationOf(request);
    auto plan = planOf(m_parts->context, variation);
    if (!plan)
        return tl::unexpected(plan.error());
    StepPlan inputOnly = *plan;
    const c10::InferenceMode noAutograd;
    Bisection search(*m_parts, events, std::move(*plan), *predicate, job);
    try {
        if (auto done = search.run(lookAtInput(m_parts->context, std::move(inputOnly))); !done)
            return tl::unexpected(done.error());
    } catch (const std::exception& error) {
        return core::fail(core::ErrorCode::Internal,
            fmt::format(
                "LibTorch could not run {}: {}", m_parts->context.capsule.shownPath, error.what()));
    }
    const auto first = predicate->first(m_parts->context, search.m_record, {});
    if (first && events.firstBad)
        events.firstBad(*first);
    auto result = m_parts->resultOf(search.m_record, first, variation, job);
    if (!result)
        return result;
    result->steps = std::move(search.m_steps);
    const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - start;
    result->cost.seconds = seconds.count();
    return result;
}

}  // namespace firstbad::replay
