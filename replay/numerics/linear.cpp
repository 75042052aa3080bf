// SPDX-License-Identifier: GPL-3.0-or-later
#include "replay/numerics/linear.h"

namespace firstbad::replay {

namespace {

Tensor operand(const Tensor& tensor, const Tensor& fp8Scale, const BlockTypes& types)
{
    const Tensor rounded = stored(tensor, types.matmul);
    if (types.fp8 && fp8Scale.defined())
        return throughFp8(rounded, *types.fp8, fp8Scale, types.compute);
    return stored(rounded, types.compute);
}

/// The weight as a matrix [in, out].
Tensor matrixOf(const LinearWeights& layer, const BlockTypes& types)
{
    const Tensor matrix = operand(layer.weight, layer.fp8Weight, types);
    return layer.inputMajor ? matrix : matrix.t();
}

Tensor flat(const Tensor& tensor)
{
    return tensor.reshape({-1, tensor.size(-1)});
}

}  // namespace

Tensor linear(
    const Tensor& input, const LinearWeights& layer, const BlockTypes& types, NumberType result)
{
    const Tensor x = flat(operand(input, layer.fp8Input, types));
    const Tensor matrix = matrixOf(layer, types);
    const Tensor y = layer.bias.defined()
        ? at::addmm(stored(stored(layer.bias, types.matmul), types.compute), x, matrix)
        : at::mm(x, matrix);
    auto shape = input.sizes().vec();
    shape.back() = matrix.size(1);
    return stored(y, result).reshape(shape);
}

LinearGradients linearBackward(const Tensor& gradient, const Tensor& input,
    const LinearWeights& layer, const BlockTypes& types)
{
    const Tensor dy = flat(stored(gradient, types.compute));
    const Tensor x = flat(operand(input, layer.fp8Input, types));
    const Tensor matrix = matrixOf(layer, types);
    LinearGradients out;
    out.input = stored(stored(at::mm(dy, matrix.t()), types.matmul), input.scalar_type())
                    .reshape(input.sizes());
    const Tensor weight = layer.inputMajor ? at::mm(x.t(), dy) : at::mm(dy.t(), x);
    out.weight = stored(stored(weight, types.matmul), types.param);
    if (layer.bias.defined())
        out.bias = stored(stored(dy.sum(0), types.matmul), types.param);
    return out;
}

Tensor product(const Tensor& a, const Tensor& b, const BlockTypes& types, NumberType result)
{
    const Tensor left = stored(stored(a, types.matmul), types.compute);
    const Tensor right = stored(stored(b, types.matmul), types.compute);
    return stored(at::matmul(left, right), result);
}

}  // namespace firstbad::replay
