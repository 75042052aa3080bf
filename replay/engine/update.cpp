// SPDX-License-Identifier: GPL-3.0-or-later
#include "replay/engine/update.h"

#include "core/capsule/tensor_file.h"
#include "replay/weights/tensor_io.h"

#include <cmath>
#include <fmt/format.h>

namespace firstbad::replay {

namespace {

constexpr double kClipEpsilon = 1e-6;  // torch.nn.utils.clip_grad_norm_

/// Runs AdamW over one parameter, storing every step in `type`.
struct AdamW {
    const core::CapsuleOptimizer& rule;
    NumberType type;
    NumberType compute;

    [[nodiscard]] Tensor step(const Tensor& tensor) const { return through(tensor, type, compute); }

    [[nodiscard]] Tensor firstMoment(const Tensor& old, const Tensor& gradient) const
    {
        return step(old + (gradient - old) * (1.0 - rule.beta1));
    }
    [[nodiscard]] Tensor secondMoment(const Tensor& old, const Tensor& gradient) const
    {
        return step(step(old * rule.beta2) + gradient * gradient * (1.0 - rule.beta2));
    }
    [[nodiscard]] Tensor update(const Tensor& first, const Tensor& second) const
    {
        const auto updates = static_cast<double>(rule.step + 1);
        const double size = rule.lr / (1.0 - std::pow(rule.beta1, updates));
        const double correction = std::sqrt(1.0 - std::pow(rule.beta2, updates));
        const Tensor root = step(at::sqrt(second));
        const Tensor divisor = step(step(root / correction) + rule.eps);
        return step(step(first / divisor) * size);
    }
    [[nodiscard]] Tensor decayed(const Tensor& param) const
    {
        return step(param * (1.0 - rule.lr * rule.weightDecay));
    }
};

/// Gradients as the optimizer would get them before clipping.
Gradients unscaled(const StepPlan& plan, const Gradients& gradients, bool master)
{
    const BlockTypes& types = plan.precision.types;
    const double inverse = types.compute == at::kDouble
        ? 1.0 / plan.precision.lossScale
        : static_cast<double>(static_cast<float>(1.0 / plan.precision.lossScale));
    Gradients out(gradients.size());
    for (std::size_t i = 0; i < gradients.size(); ++i) {
        if (!gradients[i].defined())
            continue;
        const Tensor wide = stored(gradients[i], types.compute) * inverse;
        out[i] = stored(wide, master ? types.compute : types.param);
    }
    return out;
}

/// Norm over all gradients, summed in `compute` as the framework does: first each tensor's own.
Tensor totalNorm(const Gradients& gradients, double kind, NumberType compute)
{
    std::vector<Tensor> norms;
    for (const auto& gradient : gradients) {
        if (gradient.defined())
            norms.push_back(at::norm(stored(gradient, compute).reshape({-1}), kind));
    }
    if (norms.empty())
        return at::zeros({}, at::TensorOptions().dtype(compute));
    return at::norm(at::stack(norms), kind);
}

bool anyBad(const Gradients& gradients)
{
    for (const auto& gradient : gradients) {
        if (gradient.defined() && !statisticsOf(gradient).finite())
            return true;
    }
    return false;
}

/// One parameter through clipping and AdamW.
struct ParamUpdate {
    const Param& param;
    Tensor current;  ///< the master copy where there is one
    Tensor first;
    Tensor second;
    Tensor gradient;
};

void seeParam(Trace& trace, const Param& param, Lane lane, std::string_view op,
    const std::string& name, const Tensor& tensor)
{
    trace.see({lane, 0, param.block, op, name}, tensor);
}

/// The parameter after the update, before it is stored in its own type.
Tensor applyAdamW(const ParamUpdate& one, const AdamW& adam, Trace& trace)
{
    if (!one.gradient.defined())
        return one.current;
    const Tensor gradient = stored(one.gradient, adam.compute);
    const Tensor first = adam.firstMoment(one.first, gradient);
    const Tensor second = adam.secondMoment(one.second, gradient);
    const Tensor update = adam.update(first, second);
    const std::string& name = one.param.name;
    seeParam(trace, one.param, Lane::Optimizer, "exp_avg", name, stored(first, adam.type));
    seeParam(trace, one.param, Lane::Optimizer, "exp_avg_sq", name, stored(second, adam.type));
    seeParam(trace, one.param, Lane::Optimizer, "update", name, stored(update, adam.type));
    return adam.step(adam.decayed(one.current) - update);
}

/// What the optimizer starts from for one parameter, in `compute`.
core::Result<ParamUpdate> gather(Model& model, const OptimizerState& state, std::size_t index,
    const Tensor& gradient, const AdamW& adam, const BlockTypes& types)
{
    const Param& param = model.params()[index];
    auto tensor = model.stored(index);
    if (!tensor)
        return tl::unexpected(tensor.error());
    const Tensor own = stored(*tensor, types.param);
    const auto orZeros = [&](const char* group) {
        const Tensor found = state.find(group, param.name);
        return found.defined() ? adam.step(stored(found, adam.compute))
                               : at::zeros(own.sizes(), at::TensorOptions().dtype(adam.compute));
    };
    const Tensor master = state.find("master", param.name);
    const bool useMaster = adam.rule.master && master.defined();
    return ParamUpdate{param, stored(useMaster ? master : *tensor, adam.compute),
        orZeros("exp_avg"), orZeros("exp_avg_sq"), gradient};
}

}  // namespace

Tensor OptimizerState::find(const std::string& group, const std::string& param) const
{
    const auto found = tensors.find(group + "/" + param);
    return found == tensors.end() ? Tensor() : found->second;
}

core::Result<OptimizerState> readOptimizerState(const core::Capsule& capsule, const Model& model)
{
    OptimizerState state;
    if (!capsule.optimizer || !capsule.optimizer->file)
        return state;
    const std::string& name = capsule.optimizer->file->name;
    const auto path = core::pathOf(capsule, name);
    if (!path)
        return tl::unexpected(path.error());
    const auto file = core::TensorFile::open(*path, capsule.shownPath + "/" + name);
    if (!file)
        return tl::unexpected(file.error());
    for (const Param& param : model.params()) {
        for (const char* group : {"exp_avg", "exp_avg_sq", "master"}) {
            const auto* entry = file->find(fmt::format("{}/{}", group, param.name));
            if (entry == nullptr)
                continue;
            if (entry->shape != param.spec.shape)
                return core::fail(core::ErrorCode::Malformed,
                    fmt::format("{} of {}/{} does not have the shape of its parameter.",
                        entry->name, capsule.shownPath, name));
            auto tensor = readTensor(*file, *entry);
            if (!tensor)
                return tl::unexpected(tensor.error());
            state.tensors.emplace(entry->name, std::move(*tensor));
        }
    }
    return state;
}

core::Result<UpdateOutcome> runUpdate(Model& model, const StepPlan& plan,
    const OptimizerState& state, const Gradients& gradients, Trace& trace)
{
    const BlockTypes& types = plan.precision.types;
    const core::CapsuleOptimizer rule = plan.optimizer.value_or(core::CapsuleOptimizer());
    const bool master = rule.master && types.param != types.compute;
    UpdateOutcome out;
    out.foundInf = anyBad(gradients);
    const Gradients raw = unscaled(plan, gradients, master);
    const double kind = rule.clip ? rule.clip->normType : 2.0;
    const Tensor norm = totalNorm(raw, kind, types.compute);
    out.gradNorm = norm.item<double>();
    out.skipped = plan.scaler && out.foundInf;
    if (!plan.optimizer)
        return out;
    if (!out.foundInf && !core::isFinite(out.gradNorm))
        trace.see({Lane::Clipped, 0, 0, "norm", "grad_norm"}, norm);
    if (out.skipped)
        return out;

    const Tensor factor = rule.clip ? at::clamp_max(rule.clip->maxNorm / (norm + kClipEpsilon), 1.0)
                                    : at::ones_like(norm);
    const AdamW adam{rule, master ? types.compute : types.param, types.compute};
    Gradients clipped(raw.size());
    for (std::size_t i = 0; i < raw.size(); ++i) {
        if (!raw[i].defined())
            continue;
        const Param& param = model.params()[i];
        clipped[i] = stored(stored(raw[i], types.compute) * factor, raw[i].scalar_type());
        seeParam(trace, param, Lane::Clipped, param.spec.op, param.name, clipped[i]);
    }
    std::vector<Tensor> after(raw.size());
    for (std::size_t i = 0; i < raw.size(); ++i) {
        const auto one = gather(model, state, i, clipped[i], adam, types);
        if (!one)
            return tl::unexpected(one.error());
        after[i] = applyAdamW(*one, adam, trace);
    }
    for (std::size_t i = 0; i < raw.size(); ++i) {
        const Param& param = model.params()[i];
        const std::string& op = param.spec.op;
        seeParam(trace, param, Lane::Param, op, param.name, stored(after[i], types.param));
        if (master)
            seeParam(trace, param, Lane::Param, op, "master/" + param.name, after[i]);
    }
    return out;
}

}  // namespace firstbad::replay
