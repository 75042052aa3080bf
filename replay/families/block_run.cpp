// SPDX-License-Identifier: GPL-3.0-or-later
#include "replay/families/block_run.h"

#include "core/base/assert.h"

namespace firstbad::replay {

namespace {

std::string keyOf(std::string_view op, std::string_view part)
{
    std::string key(op);
    key += '.';
    key += part;
    return key;
}

}  // namespace

Tensor BlockWeights::find(std::string_view key) const
{
    const auto found = tensors.find(key);
    return found == tensors.end() ? Tensor() : found->second;
}

Tensor BlockRun::value(std::string_view op, const Tensor& tensor)
{
    trace.see({Lane::Forward, microStep, block, op, {}}, tensor);
    saved.insert_or_assign(std::string(op), tensor);
    return tensor;
}

Tensor BlockRun::normed(std::string_view op, const Tensor& input, const Tensor& output)
{
    value(op, output);
    if (!trace.enabled())
        return output;
    const NormWeights parameters = norm(op);
    const bool centres = parameters.shift.defined();  // an RMS norm has none
    const auto row = collapsedRow(input, output, centres);
    if (row && parameters.gain.any().item<bool>())
        trace.markCollapsed(row);
    return output;
}

Tensor BlockRun::gradient(std::string_view op, const Tensor& tensor)
{
    trace.see({Lane::Backward, microStep, block, op, {}}, tensor);
    return tensor;
}

const Tensor& BlockRun::at(std::string_view op) const
{
    const auto found = saved.find(op);
    FB_ASSERT(found != saved.end());
    return found->second;
}

LinearWeights BlockRun::layer(std::string_view op, bool inputMajor) const
{
    LinearWeights out;
    out.weight = weights.find(keyOf(op, "weight"));
    out.bias = weights.find(keyOf(op, "bias"));
    out.inputMajor = inputMajor;
    if (types.fp8) {
        const auto scale = [&](std::string_view part) {
            const auto found = weights.fp8Scales.find(keyOf(op, part));
            return found == weights.fp8Scales.end() ? Tensor() : found->second;
        };
        out.fp8Input = scale("input");
        out.fp8Weight = scale("weight");
    }
    return out;
}

NormWeights BlockRun::norm(std::string_view op) const
{
    return {weights.find(keyOf(op, "weight")), weights.find(keyOf(op, "bias")), shape.eps};
}

Tensor BlockRun::add(const Tensor& a, const Tensor& b) const
{
    return stored(stored(a, types.compute) + stored(b, types.compute), types.stream);
}

Tensor BlockRun::linearBackward(
    std::string_view op, const Tensor& gradient, const Tensor& input, bool inputMajor)
{
    auto found = replay::linearBackward(gradient, input, layer(op, inputMajor), types);
    gradients.insert_or_assign(keyOf(op, "weight"), found.weight);
    if (found.bias.defined())
        gradients.insert_or_assign(keyOf(op, "bias"), found.bias);
    return found.input;
}

Tensor BlockRun::keepNorm(std::string_view op, const NormGradients& found)
{
    gradients.insert_or_assign(keyOf(op, "weight"), found.gain);
    if (found.shift.defined())
        gradients.insert_or_assign(keyOf(op, "bias"), found.shift);
    return found.input;
}

Tensor BlockRun::layerNormBackward(std::string_view op, const Tensor& gradient, const Tensor& input)
{
    return keepNorm(op, replay::layerNormBackward(gradient, input, norm(op), types));
}

Tensor BlockRun::rmsNormBackward(std::string_view op, const Tensor& gradient, const Tensor& input)
{
    return keepNorm(op, replay::rmsNormBackward(gradient, input, norm(op), types));
}

}  // namespace firstbad::replay
