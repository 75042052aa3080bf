// SPDX-License-Identifier: GPL-3.0-or-later
// Step: one training step run block by block: forward, loss, backward, gradients, update.
//
// One thread. Activations of a micro-step are kept until its backward has used them. The caller
// decides how far to go; run() goes all the way.
#pragma once

#include "replay/engine/batch.h"
#include "replay/families/ends.h"
#include "replay/weights/model.h"

#include <memory>
#include <optional>
#include <vector>

namespace firstbad::replay {

/// How to run the step.
struct StepPlan {
    RunPrecision precision;
    core::CapsuleLoss loss;
    std::optional<core::CapsuleOptimizer> optimizer;
    bool scaler = false;  ///< skips the update when a scaled gradient is bad
    std::vector<MicroBatch> batches;
};

/// Gradients by parameter, undefined where the loss does not reach.
using Gradients = std::vector<Tensor>;

class Step
{
public:
    Step(Model& model, const StepPlan& plan, Trace& trace, core::JobContext& job);

    [[nodiscard]] std::size_t microSteps() const noexcept { return m_plan.batches.size(); }
    /// Blocks still to be run by forward(): N + 2 when nothing was.
    [[nodiscard]] core::Result<void> startMicroStep(std::size_t microStep);
    /// Runs the next block; the head computes the loss.
    [[nodiscard]] core::Result<void> forwardBlock();
    [[nodiscard]] std::int64_t nextBlock() const noexcept { return m_next; }
    [[nodiscard]] bool forwardDone() const noexcept { return m_next > m_model.shape().blocks; }
    /// Runs one block backward, last first.
    [[nodiscard]] core::Result<void> backwardBlock();
    [[nodiscard]] bool backwardDone() const noexcept { return m_runs.empty(); }
    void finishMicroStep();

    /// All micro-steps, forward and backward.
    [[nodiscard]] core::Result<void> runMicroSteps();
    /// The rest of the current micro-step and those after it.
    [[nodiscard]] core::Result<void> finishMicroSteps();
    /// Reports the gradient of every parameter in reverse order of use.
    void seeGradients();

    [[nodiscard]] const Gradients& gradients() const noexcept { return m_gradients; }
    [[nodiscard]] std::optional<double> loss() const noexcept { return m_loss; }
    [[nodiscard]] const std::vector<double>& microLosses() const noexcept { return m_microLosses; }
    /// Blocks run so far, forward ones only, and backward ones.
    [[nodiscard]] std::int64_t forwardBlocks() const noexcept { return m_forwardBlocks; }
    [[nodiscard]] std::int64_t backwardBlocks() const noexcept { return m_backwardBlocks; }

private:
    [[nodiscard]] core::Result<std::unique_ptr<BlockRun>> open(std::int64_t block);
    void keepGradients(const BlockRun& run);
    [[nodiscard]] HeadInputs head() const;
    [[nodiscard]] double lossGradient() const;

    Model& m_model;
    const StepPlan& m_plan;
    Trace& m_trace;
    core::JobContext& m_job;

    std::size_t m_microStep = 0;
    StepInputs m_inputs;
    LossTargets m_targets;
    std::int64_t m_next = -1;
    Tensor m_hidden;
    Tensor m_gradient;
    std::optional<LossValue> m_lossValue;
    std::vector<std::unique_ptr<BlockRun>> m_runs;
    Gradients m_gradients;
    Gradients m_microGradients;
    std::optional<double> m_loss;
    std::vector<double> m_microLosses;
    std::int64_t m_forwardBlocks = 0;
    std::int64_t m_backwardBlocks = 0;
};

}  // namespace firstbad::replay
