// SPDX-License-Identifier: GPL-3.0-or-later
#include "replay/engine/context.h"

#include <algorithm>
#include <fmt/format.h>

namespace firstbad::replay {

namespace {

void addEntryBad(std::vector<core::ReplayEntryBad>& out, const std::string& name,
    std::string_view lane, const Tensor& tensor)
{
    TraceCell place;
    place.statistics = statisticsOf(tensor);
    if (!place.bad())
        return;
    place.shape = tensor.sizes().vec();
    out.push_back({name, std::string(lane), place.statistics.nan, place.statistics.posInf,
        place.statistics.negInf, place.firstIndex()});
}

core::Result<void> findEntryBad(ReplayContext& context, core::JobContext& job)
{
    const auto& params = context.model->params();
    for (std::size_t i = 0; i < params.size(); ++i) {
        if (job.cancelled())
            return core::JobContext::cancelledError();
        const auto tensor = context.model->stored(i);
        if (!tensor)
            return tl::unexpected(tensor.error());
        addEntryBad(context.entryBad, params[i].name, "param", *tensor);
    }
    for (const char* group : {"exp_avg", "exp_avg_sq", "master"}) {
        for (const Param& param : params) {
            const Tensor tensor = context.state.find(group, param.name);
            if (tensor.defined())
                addEntryBad(
                    context.entryBad, std::string(group) + "/" + param.name, "optimizer", tensor);
        }
    }
    return {};
}

/// The rows asked for, micro-step by micro-step; micro-steps without any are left out.
core::Result<std::vector<MicroBatch>> selectedBatches(
    const std::vector<MicroBatch>& batches, const std::vector<std::int64_t>& rows)
{
    std::vector<MicroBatch> out;
    std::int64_t first = 0;
    std::size_t taken = 0;
    for (const auto& batch : batches) {
        std::vector<std::int64_t> own;
        for (const auto row : rows) {
            if (row >= first && row < first + batch.rows())
                own.push_back(row - first);
        }
        taken += own.size();
        first += batch.rows();
        if (!own.empty())
            out.push_back(batch.selected(own));
    }
    if (taken != rows.size() || out.empty())
        return core::fail(core::ErrorCode::InvalidArgument,
            fmt::format("The rows asked for are not all in the batch: it has {} rows.", first));
    return out;
}

}  // namespace

bool ReplayContext::dropoutLost() const
{
    return capsule.train && model->shape().dropout > 0.0;
}

core::Result<ReplayContext> openContext(
    const core::Capsule& capsule, std::uint64_t memoryBytes, core::JobContext& job)
{
    ReplayContext context;
    context.capsule = capsule;
    if (capsule.loss.kind != "cross_entropy")
        return core::fail(core::ErrorCode::Unsupported,
            fmt::format(
                "The loss \"{}\" of {} cannot be replayed.", capsule.loss.kind, capsule.shownPath),
            "Only cross_entropy is known.");
    if (capsule.optimizer && capsule.optimizer->type != "adamw")
        return core::fail(core::ErrorCode::Unsupported,
            fmt::format("The optimizer \"{}\" of {} cannot be replayed.", capsule.optimizer->type,
                capsule.shownPath),
            "Only adamw is known.");
    auto model = Model::open(capsule, job);
    if (!model)
        return tl::unexpected(model.error());
    context.model = std::move(*model);
    context.model->setMemoryBound(memoryBytes);
    auto batches = readBatches(capsule, context.model->shape());
    if (!batches)
        return tl::unexpected(batches.error());
    context.batches = std::move(*batches);
    auto state = readOptimizerState(capsule, *context.model);
    if (!state)
        return tl::unexpected(state.error());
    context.state = std::move(*state);
    if (auto found = findEntryBad(context, job); !found)
        return tl::unexpected(found.error());
    return context;
}

Variation variationOf(const core::ReplayRequest& request)
{
    Variation out;
    out.precision = request.precision;
    out.attention = request.attention;
    out.lossScale = request.lossScale;
    out.rows = request.rows;
    if (request.fp32Blocks)
        out.fp32Blocks.insert(request.fp32Blocks->begin(), request.fp32Blocks->end());
    return out;
}

core::Result<StepPlan> planOf(const ReplayContext& context, const Variation& variation)
{
    core::CapsulePrecision precision = atPrecision(context.capsule.precision, variation.precision);
    if (!variation.attention.empty())
        precision.attention = variation.attention;
    if (variation.lossScale)
        precision.lossScale = *variation.lossScale;
    if (!core::isFinite(precision.lossScale) || precision.lossScale == 0.0)
        return core::fail(core::ErrorCode::InvalidArgument,
            "The loss scale must be a finite number other than 0.");
    StepPlan plan;
    auto run = runPrecision(precision);
    if (!run)
        return tl::unexpected(run.error());
    plan.precision = std::move(*run);
    plan.precision.fp32Blocks = variation.fp32Blocks;
    plan.loss = context.capsule.loss;
    plan.optimizer = context.capsule.optimizer;
    // An fp32 run has no master copies: at half precision its weights become them.
    if (plan.optimizer && isHalf(plan.precision.types.param)
        && context.capsule.precision.params == "fp32")
        plan.optimizer->master = true;
    plan.scaler = context.capsule.scaler.has_value();
    plan.batches = context.batches;
    if (variation.rows) {
        auto batches = selectedBatches(context.batches, *variation.rows);
        if (!batches)
            return tl::unexpected(batches.error());
        plan.batches = std::move(*batches);
    }
    if (variation.length) {
        for (auto& batch : plan.batches)
            batch = batch.truncated(*variation.length);
    }
    return plan;
}

}  // namespace firstbad::replay
