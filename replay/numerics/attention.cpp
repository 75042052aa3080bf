// SPDX-License-Identifier: GPL-3.0-or-later
#include "replay/numerics/attention.h"

#include "replay/numerics/linear.h"

#include <limits>

namespace firstbad::replay {

namespace {

constexpr double kMinusInfinity = -std::numeric_limits<double>::infinity();

/// Key and value heads repeated for the query heads that share them.
Tensor repeated(const Tensor& tensor, std::int64_t heads)
{
    const auto times = heads / tensor.size(1);
    return times == 1 ? tensor : tensor.repeat_interleave(times, 1);
}

Tensor summedOverGroups(const Tensor& gradient, std::int64_t kvHeads)
{
    const auto s = gradient.sizes();
    if (s[1] == kvHeads)
        return gradient;
    return gradient.reshape({s[0], kvHeads, s[1] / kvHeads, s[2], s[3]}).sum(2);
}

/// Type of the tensor that softmax reads: half scores plus an fp32 mask are fp32.
NumberType maskedType(const AttentionMask& mask, const Tensor& scores, const AttentionRule& rule,
    const BlockTypes& types)
{
    if (types.fusedAttention)
        return types.compute;
    if (rule.blockedValue)
        return scores.scalar_type();
    const NumberType added = mask.added.defined() ? mask.added.scalar_type() : types.stream;
    return at::promote_types(scores.scalar_type(), added);
}

Tensor maskedScores(const AttentionSaved& saved, const AttentionMask& mask,
    const AttentionRule& rule, const BlockTypes& types)
{
    const Tensor scores = stored(saved.scores, types.compute);
    if (mask.added.defined())
        return scores + mask.added.to(types.compute);
    if (types.fusedAttention)
        return scores.masked_fill(mask.blocked, kMinusInfinity);
    if (rule.blockedValue)
        return scores.masked_fill(mask.blocked, *rule.blockedValue);
    const Tensor lowest = at::zeros_like(mask.blocked, scores.options())
                              .masked_fill(mask.blocked, -largestOf(types.stream));
    return scores + lowest;
}

/// Fused kernels give zeros for a row without any allowed key, not NaN.
Tensor zeroDeadRows(const Tensor& softmax, const AttentionMask& mask)
{
    const Tensor dead = mask.added.defined() ? at::isneginf(mask.added) : mask.blocked;
    return softmax.masked_fill(dead.all(-1, true), 0.0);
}

}  // namespace

void attentionScores(AttentionSaved& saved, const AttentionRule& rule, const BlockTypes& types)
{
    const NumberType type = types.fusedAttention ? types.compute : types.matmul;
    const Tensor k = repeated(saved.k, saved.q.size(1));
    saved.scores = product(saved.q, k.transpose(-1, -2), types, type);
    if (rule.scales)
        saved.scores = stored(stored(saved.scores, types.compute) * rule.scale, type);
}

void attentionSoftmax(AttentionSaved& saved, const AttentionMask& mask, const AttentionRule& rule,
    const BlockTypes& types)
{
    Tensor input = through(maskedScores(saved, mask, rule, types),
        maskedType(mask, saved.scores, rule, types), types.compute);
    if (rule.softmaxFactor != 1.0)
        input = input * rule.softmaxFactor;
    if (!types.fusedAttention)
        input = through(input, types.softmax, types.compute);
    Tensor softmax = at::softmax(input, -1);
    if (types.fusedAttention)
        softmax = zeroDeadRows(softmax, mask);
    const NumberType type = types.fusedAttention ? types.compute : rule.probabilities;
    saved.probabilities = stored(softmax, type);
    saved.softmax = rule.softmaxReadsFp32 ? softmax : stored(saved.probabilities, types.compute);
}

Tensor attentionContext(const AttentionSaved& saved, const BlockTypes& types)
{
    const Tensor v = repeated(saved.v, saved.q.size(1));
    if (!types.fusedAttention)
        return mergeHeads(product(saved.probabilities, v, types, types.matmul));
    return mergeHeads(
        stored(at::matmul(saved.probabilities, stored(stored(v, types.matmul), types.compute)),
            types.matmul));
}

AttentionGradients attentionBackward(const Tensor& gradient, const AttentionSaved& saved,
    const AttentionMask& mask, const AttentionRule& rule, const BlockTypes& types)
{
    const auto heads = saved.q.size(1);
    const NumberType matmul = types.fusedAttention ? types.compute : types.matmul;
    const Tensor dContext = splitHeads(gradient, heads);
    const Tensor v = repeated(saved.v, heads);
    AttentionGradients out;
    out.probabilities = stored(
        product(dContext, v.transpose(-1, -2), types, matmul), saved.probabilities.scalar_type());
    const Tensor weights
        = types.fusedAttention ? saved.probabilities : stored(saved.probabilities, types.matmul);
    const Tensor dv = at::matmul(
        stored(weights, types.compute).transpose(-1, -2), stored(dContext, types.compute));
    out.v = stored(summedOverGroups(through(dv, types.matmul, types.compute), saved.v.size(1)),
        saved.v.scalar_type());

    const Tensor dP = stored(out.probabilities, types.compute);
    Tensor dMasked = saved.softmax * (dP - (dP * saved.softmax).sum(-1, true));
    if (rule.softmaxFactor != 1.0)
        dMasked = dMasked * rule.softmaxFactor;
    dMasked = through(dMasked, maskedType(mask, saved.scores, rule, types), types.compute);
    if (rule.blockedValue && mask.blocked.defined())
        dMasked = dMasked.masked_fill(mask.blocked, 0.0);
    out.scores = stored(dMasked, saved.scores.scalar_type());

    Tensor dRaw = stored(out.scores, types.compute);
    if (rule.scales)
        dRaw = through(dRaw * rule.scale, matmul, types.compute);
    const Tensor k = repeated(saved.k, heads);
    const auto operand
        = [&](const Tensor& tensor) { return stored(stored(tensor, types.matmul), types.compute); };
    out.q = stored(stored(at::matmul(dRaw, operand(k)), types.matmul), saved.q.scalar_type());
    const Tensor dk = at::matmul(dRaw.transpose(-1, -2), operand(saved.q));
    out.k = stored(summedOverGroups(through(dk, types.matmul, types.compute), saved.k.size(1)),
        saved.k.scalar_type());
    return out;
}

Tensor splitHeads(const Tensor& tensor, std::int64_t heads)
{
    const auto s = tensor.sizes();
    return tensor.reshape({s[0], s[1], heads, s[2] / heads}).transpose(1, 2).contiguous();
}

Tensor mergeHeads(const Tensor& tensor)
{
    const auto s = tensor.sizes();
    return tensor.transpose(1, 2).reshape({s[0], s[2], s[1] * s[3]}).contiguous();
}

RotaryTable rotaryTable(const Tensor& positions, std::int64_t d, double base, NumberType compute)
{
    const auto options = at::TensorOptions().dtype(compute);
    const Tensor exponent = at::arange(0, d, 2, options) / static_cast<double>(d);
    const Tensor frequencies = at::reciprocal(at::pow(at::scalar_tensor(base, options), exponent));
    const Tensor angles = positions.to(compute).unsqueeze(-1) * frequencies;
    const Tensor both = at::cat({angles, angles}, -1).unsqueeze(1);
    return {at::cos(both), at::sin(both)};
}

Tensor rotate(const Tensor& x, const RotaryTable& table, NumberType tableType, NumberType result,
    NumberType compute)
{
    const Tensor wide = stored(x, compute);
    const auto halves = wide.chunk(2, -1);
    const Tensor turned = at::cat({-halves[1], halves[0]}, -1);
    const Tensor direct = through(wide * through(table.cos, tableType, compute), result, compute);
    const Tensor crossed
        = through(turned * through(table.sin, tableType, compute), result, compute);
    return stored(direct + crossed, result);
}

Tensor rotateBackward(const Tensor& gradient, const RotaryTable& table, NumberType tableType,
    NumberType type, NumberType compute)
{
    const Tensor dy = stored(gradient, compute);
    const Tensor direct = through(dy * through(table.cos, tableType, compute), type, compute);
    const Tensor crossed = through(dy * through(table.sin, tableType, compute), type, compute);
    const auto halves = crossed.chunk(2, -1);
    return stored(direct + at::cat({halves[1], -halves[0]}, -1), type);
}

}  // namespace firstbad::replay
