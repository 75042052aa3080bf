// SPDX-License-Identifier: GPL-3.0-or-later
#include "replay/numerics/norms.h"

#include <functional>

namespace firstbad::replay {

namespace {

/// Rounds every intermediate of a norm; the identity when only the result is stored.
using Rounding = std::function<Tensor(const Tensor&)>;

Rounding stepRounding(const BlockTypes& types)
{
    return [step = types.norm, compute = types.compute](
               const Tensor& tensor) { return through(tensor, step, compute); };
}

Tensor meanOf(const Tensor& tensor)
{
    return tensor.mean(-1, true);
}

Tensor sumOfRows(const Tensor& tensor)
{
    return tensor.reshape({-1, tensor.size(-1)}).sum(0);
}

struct Normalised {
    Tensor centred;  ///< x - mean; x itself for RMSNorm
    Tensor inverse;  ///< 1 / sqrt(variance + eps)
    Tensor value;  ///< centred * inverse
};

Normalised normalise(const Tensor& centred, double eps, const Rounding& step)
{
    Normalised out;
    out.centred = centred;
    const Tensor variance = step(meanOf(step(centred * centred)));
    out.inverse = step(at::rsqrt(step(variance + eps)));
    out.value = step(centred * out.inverse);
    return out;
}

Normalised layerNormalised(const Tensor& input, double eps, const BlockTypes& types)
{
    const Rounding step = stepRounding(types);
    const Tensor x = stored(input, types.compute);
    return normalise(step(x - step(meanOf(x))), eps, step);
}

/// Gradient through centred * inverse, where inverse depends on centred, each step stored.
Tensor throughVariance(const Tensor& gradient, const Normalised& norm, const Rounding& step)
{
    const Tensor direct = step(gradient * norm.inverse);
    const Tensor inverse = step((gradient * norm.centred).sum(-1, true));
    const Tensor variance = step(inverse * norm.inverse.pow(3) * -0.5);
    const auto width = static_cast<double>(norm.centred.size(-1));
    return step(direct + step(step(variance / width) * 2.0 * norm.centred));
}

/// The same without intermediate storage: the closed form, in which less cancels.
Tensor closedForm(const Tensor& gradient, const Normalised& norm)
{
    const Tensor projection = meanOf(gradient * norm.value);
    return norm.inverse * (gradient - norm.value * projection);
}

}  // namespace

Tensor layerNorm(const Tensor& input, const NormWeights& norm, const BlockTypes& types)
{
    const Rounding step = stepRounding(types);
    const Tensor value = layerNormalised(input, norm.eps, types).value;
    const Tensor scaled = step(value * stored(norm.gain, types.compute));
    return stored(scaled + stored(norm.shift, types.compute), types.stream);
}

NormGradients layerNormBackward(
    const Tensor& gradient, const Tensor& input, const NormWeights& norm, const BlockTypes& types)
{
    const Rounding step = stepRounding(types);
    const Normalised normal = layerNormalised(input, norm.eps, types);
    const Tensor dy = stored(gradient, types.compute);
    const Tensor dValue = step(dy * stored(norm.gain, types.compute));
    NormGradients out;
    out.gain = stored(sumOfRows(step(dy * normal.value)), types.param);
    out.shift = stored(sumOfRows(dy), types.param);
    Tensor dx;
    if (types.norm == types.compute) {
        dx = normal.inverse
            * (dValue - meanOf(dValue) - normal.value * meanOf(dValue * normal.value));
    } else {
        const Tensor dCentred = throughVariance(dValue, normal, step);
        dx = dCentred - step(meanOf(dCentred));
    }
    out.input = stored(dx, input.scalar_type());
    return out;
}

Tensor rmsNorm(const Tensor& input, const NormWeights& norm, const BlockTypes& types)
{
    const Tensor value
        = normalise(stored(input, types.compute), norm.eps, stepRounding(types)).value;
    return stored(through(value, types.stream, types.compute) * stored(norm.gain, types.compute),
        types.stream);
}

NormGradients rmsNormBackward(
    const Tensor& gradient, const Tensor& input, const NormWeights& norm, const BlockTypes& types)
{
    const Rounding step = stepRounding(types);
    const Normalised normal = normalise(stored(input, types.compute), norm.eps, step);
    const Tensor dy = stored(gradient, types.compute);
    const Tensor rounded = through(normal.value, types.stream, types.compute);
    NormGradients out;
    out.gain = stored(sumOfRows(dy * rounded), types.param);
    const Tensor dValue
        = through(dy * stored(norm.gain, types.compute), types.stream, types.compute);
    const Tensor dx = types.norm == types.compute ? closedForm(dValue, normal)
                                                  : throughVariance(dValue, normal, step);
    out.input = stored(dx, input.scalar_type());
    return out;
}

}  // namespace firstbad::replay
