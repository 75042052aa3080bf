// SPDX-License-Identifier: GPL-3.0-or-later
#include "replay/numerics/activations.h"

#include <array>
#include <fmt/format.h>
#include <utility>

namespace firstbad::replay {

namespace {

constexpr double kCubeFactor = 0.044715;
constexpr double kRootTwoOverPi = 0.7978845608028654;

constexpr std::array<std::pair<std::string_view, Activation>, 7> kNames{{
    {"gelu_new", Activation::GeluNew},
    {"gelu", Activation::Gelu},
    {"gelu_pytorch_tanh", Activation::GeluTanh},
    {"gelu_fast", Activation::GeluTanh},
    {"relu", Activation::Relu},
    {"silu", Activation::Silu},
    {"swish", Activation::Silu},
}};

/// gelu_new as it is written out in Python: every operator stores its result.
struct GeluSteps {
    NumberType steps;  ///< pow is on autocast's fp32 list, so a mixed run stores fp32 from there on
    NumberType input;
    NumberType compute;
    Tensor tanh;
    Tensor onePlus;
    Tensor halfInput;

    GeluSteps(const Tensor& x, const BlockTypes& types)
        : steps(types.mixed ? types.compute : x.scalar_type())
        , input(x.scalar_type())
        , compute(types.compute)
    {
        const Tensor wide = stored(x, compute);
        const Tensor cube = step(wide.pow(3));
        const Tensor inner = step(wide + step(cube * kCubeFactor));
        tanh = step(at::tanh(step(inner * kRootTwoOverPi)));
        onePlus = step(tanh + 1.0);
        halfInput = through(wide * 0.5, input, compute);
    }
    [[nodiscard]] Tensor step(const Tensor& tensor) const
    {
        return through(tensor, steps, compute);
    }
    [[nodiscard]] Tensor part(const Tensor& tensor) const
    {
        return through(tensor, input, compute);
    }
};

Tensor geluNewBackward(const Tensor& gradient, const Tensor& input, const BlockTypes& types)
{
    const GeluSteps at(input, types);
    const Tensor wide = stored(input, types.compute);
    const Tensor dy = stored(gradient, types.compute);
    const Tensor dTanh = at.step(dy * at.halfInput);
    const Tensor dScaled = at.step(dTanh * (1.0 - at.tanh * at.tanh));
    const Tensor dInner = at.step(dScaled * kRootTwoOverPi);
    const Tensor dCube = at.step(dInner * kCubeFactor);
    const Tensor slope = at.step(at.step(wide * wide) * 3.0);
    const Tensor viaCube = at.part(at.step(dCube * slope));
    const Tensor viaHalf = at.part(at.part(dy * at.onePlus) * 0.5);
    return stored(at.part(at.part(dInner) + viaCube) + viaHalf, input.scalar_type());
}

}  // namespace

core::Result<Activation> activationNamed(const std::string& name)
{
    for (const auto& [known, kind] : kNames) {
        if (known == name)
            return kind;
    }
    return core::fail(core::ErrorCode::Unsupported,
        fmt::format("The activation \"{}\" of the model's config is not known.", name),
        "Known are gelu_new, gelu, gelu_pytorch_tanh, relu and silu.");
}

Tensor activate(const Tensor& input, Activation kind, const BlockTypes& types)
{
    const Tensor wide = stored(input, types.compute);
    const NumberType type = input.scalar_type();
    switch (kind) {
    case Activation::GeluNew: {
        const GeluSteps at(input, types);
        return stored(at.halfInput * at.onePlus, at.steps);
    }
    case Activation::Gelu:
        return stored(at::gelu(wide), type);
    case Activation::GeluTanh:
        return stored(at::gelu(wide, "tanh"), type);
    case Activation::Relu:
        return at::relu(input);
    case Activation::Silu:
        break;
    }
    return stored(at::silu(wide), type);
}

Tensor activateBackward(
    const Tensor& gradient, const Tensor& input, Activation kind, const BlockTypes& types)
{
    const Tensor wide = stored(input, types.compute);
    const Tensor dy = stored(gradient, types.compute);
    const NumberType type = input.scalar_type();
    switch (kind) {
    case Activation::GeluNew:
        return geluNewBackward(gradient, input, types);
    case Activation::Gelu:
        return stored(at::gelu_backward(dy, wide), type);
    case Activation::GeluTanh:
        return stored(at::gelu_backward(dy, wide, "tanh"), type);
    case Activation::Relu:
        return stored(at::threshold_backward(dy, wide, 0), type);
    case Activation::Silu:
        break;
    }
    return stored(at::silu_backward(dy, wide), type);
}

}  // namespace firstbad::replay
