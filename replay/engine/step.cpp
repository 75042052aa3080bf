// SPDX-License-Identifier: GPL-3.0-or-later
#include "replay/engine/step.h"

#include <algorithm>

namespace firstbad::replay {

Step::Step(Model& model, const StepPlan& plan, Trace& trace, core::JobContext& job)
    : m_model(model)
    , m_plan(plan)
    , m_trace(trace)
    , m_job(job)
    , m_gradients(model.params().size())
    , m_microGradients(model.params().size())
{ }

core::Result<void> Step::startMicroStep(std::size_t microStep)
{
    const MicroBatch& batch = m_plan.batches[microStep];
    const NumberType compute = m_plan.precision.types.compute;
    const bool rotary = m_model.shape().positions == 0;
    m_microStep = microStep;
    m_inputs = stepInputs(batch, m_model.shape(), rotary, compute);
    m_targets = lossTargets(batch.labels, batch.lossMask, m_plan.loss);
    m_next = -1;
    m_hidden = Tensor();
    m_gradient = Tensor();
    m_runs.clear();
    m_lossValue.reset();
    return {};
}

core::Result<std::unique_ptr<BlockRun>> Step::open(std::int64_t block)
{
    const BlockTypes types = m_plan.precision.typesOf(block);
    auto weights = m_model.weights(block, types);
    if (!weights)
        return tl::unexpected(weights.error());
    return std::unique_ptr<BlockRun>(new BlockRun{m_model.shape(), types, std::move(*weights),
        m_inputs, static_cast<std::int64_t>(m_microStep), block, m_trace, {}, {}, {}});
}

double Step::lossGradient() const
{
    const auto parts = static_cast<double>(m_plan.batches.size());
    return m_plan.precision.lossScale / (m_plan.loss.accumulate == "sum" ? 1.0 : parts);
}

HeadInputs Step::head() const
{
    return {m_targets, m_plan.loss, m_model.family().rmsNorm, lossGradient()};
}

core::Result<void> Step::forwardBlock()
{
    if (m_job.cancelled())
        return core::JobContext::cancelledError();
    auto opened = open(m_next);
    if (!opened)
        return tl::unexpected(opened.error());
    m_runs.push_back(std::move(*opened));
    BlockRun& run = *m_runs.back();
    if (m_next < 0) {
        m_hidden = embeddingForward(run);
    } else if (m_next < m_model.shape().blocks) {
        m_hidden = m_model.family().forward(run, m_hidden);
    } else {
        m_lossValue = headForward(run, head(), m_hidden);
        m_microLosses.push_back(m_lossValue->loss.item<double>());
    }
    ++m_next;
    ++m_forwardBlocks;
    m_job.advance(1);
    return {};
}

core::Result<void> Step::backwardBlock()
{
    if (m_job.cancelled())
        return core::JobContext::cancelledError();
    BlockRun& run = *m_runs.back();
    if (run.block == m_model.shape().blocks)
        m_gradient = headBackward(run, head(), *m_lossValue);
    else if (run.block >= 0)
        m_gradient = m_model.family().backward(run, m_gradient);
    else
        embeddingBackward(run, m_gradient);
    keepGradients(run);
    m_runs.pop_back();
    ++m_backwardBlocks;
    m_job.advance(2);
    return {};
}

/// Contributions of one micro-step to one parameter are added first, each rounded.
void Step::keepGradients(const BlockRun& run)
{
    const auto add = [&](std::size_t index, const Tensor& gradient) {
        Tensor& sum = m_microGradients[index];
        if (!sum.defined()) {
            sum = gradient;
            return;
        }
        // A table that two blocks read in different types keeps the wider one.
        const NumberType type = at::promote_types(sum.scalar_type(), gradient.scalar_type());
        const NumberType compute = run.types.compute;
        sum = stored(stored(sum, compute) + stored(gradient, compute), type);
    };
    for (const auto index : m_model.paramsOf(run.block)) {
        const auto found = run.gradients.find(m_model.params()[index].spec.key);
        if (found != run.gradients.end())
            add(index, found->second);
    }
    const auto logits = run.gradients.find("logits.weight");
    if (m_model.shape().tied && logits != run.gradients.end())
        add(0, logits->second);
}

void Step::finishMicroStep()
{
    const NumberType compute = m_plan.precision.types.compute;
    for (std::size_t i = 0; i < m_gradients.size(); ++i) {
        Tensor& part = m_microGradients[i];
        if (!part.defined())
            continue;
        Tensor& sum = m_gradients[i];
        sum = sum.defined()
            ? stored(stored(sum, compute) + stored(part, compute), part.scalar_type())
            : part;
        part = Tensor();
    }
    double total = 0.0;
    for (const double loss : m_microLosses)
        total += loss;  // NaN is meant to win: the framework adds them up just so
    const bool mean = m_plan.loss.accumulate != "sum";
    if (m_microLosses.size() == m_plan.batches.size())
        m_loss = mean ? total / static_cast<double>(m_microLosses.size()) : total;
}

core::Result<void> Step::runMicroSteps()
{
    if (auto started = startMicroStep(0); !started)
        return started;
    return finishMicroSteps();
}

core::Result<void> Step::finishMicroSteps()
{
    while (true) {
        while (!forwardDone()) {
            if (auto done = forwardBlock(); !done)
                return done;
        }
        while (!backwardDone()) {
            if (auto done = backwardBlock(); !done)
                return done;
        }
        finishMicroStep();
        if (m_microStep + 1 >= microSteps())
            return {};
        if (auto started = startMicroStep(m_microStep + 1); !started)
            return started;
    }
}

void Step::seeGradients()
{
    // What the loss does not reach has a gradient of zeros: the optimizer still decays it.
    const auto options = at::TensorOptions().dtype(m_plan.precision.types.param);
    for (std::size_t i = 0; i < m_gradients.size(); ++i) {
        if (!m_gradients[i].defined())
            m_gradients[i] = at::zeros(m_model.params()[i].spec.shape, options);
    }
    const auto& params = m_model.params();
    const auto see = [&](std::size_t index) {
        const Param& param = params[index];
        if (m_gradients[index].defined())
            m_trace.see(
                {Lane::Grad, 0, param.block, param.spec.op, param.name}, m_gradients[index]);
    };
    const bool tied = m_model.shape().tied;
    for (std::int64_t block = m_model.shape().blocks; block >= -1; --block) {
        const auto ops = opsOf(m_model.family(), m_model.shape(), block);
        for (std::size_t i = ops.size(); i-- > 0;) {
            auto read = m_model.paramsRead(block, ops[i].name);
            if (tied && block == m_model.shape().blocks && ops[i].name == "logits")
                continue;
            if (block < 0)
                std::reverse(read.begin(), read.end());
            for (const auto index : read)
                see(index);
        }
    }
}

}  // namespace firstbad::replay
