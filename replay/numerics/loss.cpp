// SPDX-License-Identifier: GPL-3.0-or-later
#include "replay/numerics/loss.h"

namespace firstbad::replay {

namespace {

Tensor shiftedLeft(const Tensor& tensor, double filler)
{
    const Tensor last = at::full({tensor.size(0), 1}, filler, tensor.options());
    return at::cat({tensor.slice(1, 1), last}, 1);
}

/// Places that have a target; the index is 0 elsewhere so that a lookup stays in range.
struct ValidTargets {
    Tensor valid;
    Tensor index;

    ValidTargets(const Tensor& labels, std::int64_t ignoreIndex)
        : valid(labels.ne(ignoreIndex))
        , index(labels.masked_fill(valid.logical_not(), 0).unsqueeze(-1))
    { }
};

NumberType storageOf(const core::CapsuleLoss& rule, NumberType compute)
{
    const auto type = numberType(rule.dtype);
    return type && isHalf(*type) && compute != at::kDouble ? *type : compute;
}

}  // namespace

LossTargets lossTargets(const Tensor& labels, const Tensor& mask, const core::CapsuleLoss& rule)
{
    if (rule.shifted)
        return {labels, mask};
    return {shiftedLeft(labels, static_cast<double>(rule.ignoreIndex)),
        mask.defined() ? shiftedLeft(mask, 0.0) : mask};
}

LossValue crossEntropy(const Tensor& logits, const LossTargets& targets,
    const core::CapsuleLoss& rule, NumberType compute)
{
    const NumberType type = storageOf(rule, compute);
    const Tensor x = stored(logits, compute);
    const Tensor centred = x - x.amax(-1, true);
    const Tensor sums = at::log(at::exp(centred).sum(-1, true));
    LossValue out;
    out.logProbabilities = through(centred - sums, type, compute);
    const ValidTargets at(targets.labels, rule.ignoreIndex);
    Tensor each = -out.logProbabilities.gather(-1, at.index).squeeze(-1);
    if (rule.labelSmoothing > 0.0) {
        each = each * (1.0 - rule.labelSmoothing)
            - out.logProbabilities.mean(-1) * rule.labelSmoothing;
    }
    each = each.masked_fill(at.valid.logical_not(), 0.0);
    Tensor weights = at.valid.to(compute);
    Tensor divisor = weights.sum();
    if (targets.mask.defined()) {
        const Tensor mask = targets.mask.to(compute);
        each = each * mask;
        weights = weights * mask;
        divisor = mask.sum();
    }
    if (rule.normalizer)
        divisor = at::full_like(divisor, *rule.normalizer);
    else if (rule.reduction == "sum")
        divisor = at::ones_like(divisor);
    out.loss = through(through(each.sum(), type, compute) / divisor, type, compute);
    // Without a valid target 1/0 would make 0 * Inf of places that the framework leaves at zero.
    out.weights = targets.mask.defined()
        ? weights * at::reciprocal(divisor)
        : at::where(at.valid, at::reciprocal(divisor).expand_as(weights), at::zeros_like(weights));
    return out;
}

Tensor crossEntropyBackward(const LossValue& value, const LossTargets& targets,
    const core::CapsuleLoss& rule, double scale, NumberType type)
{
    const ValidTargets at(targets.labels, rule.ignoreIndex);
    const Tensor weights = (value.weights * scale).unsqueeze(-1);
    const double smoothing = rule.labelSmoothing;
    // softmax * sum(gradient) is kept where the target is ignored: NaN logits there make NaN.
    Tensor gradient = at::exp(value.logProbabilities) * weights;
    if (smoothing > 0.0)
        gradient = gradient - weights * (smoothing / static_cast<double>(gradient.size(-1)));
    gradient.scatter_add_(-1, at.index, weights * (smoothing - 1.0));
    return stored(gradient, type);
}

}  // namespace firstbad::replay
