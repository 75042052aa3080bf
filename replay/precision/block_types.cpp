// SPDX-License-Identifier: GPL-3.0-or-later
#include "replay/precision/block_types.h"

#include <array>
#include <fmt/format.h>
#include <limits>
#include <utility>

namespace firstbad::replay {

namespace {

struct NamedType {
    std::string_view name;
    NumberType type;
    double largest;
};

constexpr std::array<NamedType, 6> kTypes{{
    {"fp64", at::kDouble, std::numeric_limits<double>::max()},
    {"fp32", at::kFloat, static_cast<double>(std::numeric_limits<float>::max())},
    {"fp16", at::kHalf, 65504.0},
    {"bf16", at::kBFloat16, 0x1.FEp127},
    {"fp8-e4m3", at::kFloat8_e4m3fn, 448.0},
    {"fp8-e5m2", at::kFloat8_e5m2, 57344.0},
}};

bool isHalfName(std::string_view name)
{
    return name == "fp16" || name == "bf16";
}

/// The half type that a precision stores something in; empty for fp32 and fp64.
std::string halfOf(const std::string& compute, const std::string& params)
{
    if (compute.starts_with("mixed-"))
        return compute.substr(6);
    if (isHalfName(compute))
        return compute;
    return compute.starts_with("fp8-") && isHalfName(params) ? params : std::string();
}

}  // namespace

core::Result<NumberType> numberType(const std::string& name)
{
    for (const auto& known : kTypes) {
        if (known.name == name)
            return known.type;
    }
    return core::fail(core::ErrorCode::Unsupported,
        fmt::format("The precision \"{}\" is unknown.", name),
        "Known are fp64, fp32, fp16, bf16, fp8-e4m3, fp8-e5m2, mixed-fp16 and mixed-bf16.");
}

double largestOf(NumberType type)
{
    for (const auto& known : kTypes) {
        if (known.type == type)
            return known.largest;
    }
    return std::numeric_limits<double>::max();
}

core::Result<RunPrecision> runPrecision(const core::CapsulePrecision& precision)
{
    RunPrecision run;
    run.name = precision.compute;
    run.lossScale = precision.lossScale;
    BlockTypes& types = run.types;
    types.mixed = precision.compute.starts_with("mixed-");
    types.fusedAttention = precision.attention == "sdpa" || precision.attention == "flash";
    const bool isFp8 = precision.compute.starts_with("fp8-");
    const auto base = numberType(types.mixed ? precision.compute.substr(6)
            : isFp8                          ? precision.params
                                             : precision.compute);
    if (!base)
        return tl::unexpected(base.error());
    if (types.mixed && !isHalf(*base))
        return core::fail(core::ErrorCode::Unsupported,
            fmt::format("The precision \"{}\" is unknown.", precision.compute));
    types.compute = *base == at::kDouble ? at::kDouble : at::kFloat;
    types.stream = types.param = types.mixed ? at::kFloat : *base;
    types.matmul = *base;
    if (isFp8) {
        const auto fp8 = numberType(precision.compute);
        if (!fp8)
            return tl::unexpected(fp8.error());
        types.fp8 = *fp8;
    }
    const auto partType = [&](const std::string& name) -> core::Result<NumberType> {
        return isHalfName(name) && *base != at::kDouble ? numberType(name)
                                                        : core::Result<NumberType>(types.compute);
    };
    types.norm = *partType(precision.norm);
    types.softmax = *partType(precision.softmax);
    types.logits = *partType(precision.logits);
    return run;
}

core::CapsulePrecision atPrecision(const core::CapsulePrecision& recorded, const std::string& name)
{
    if (name.empty() || name == recorded.compute)
        return recorded;
    core::CapsulePrecision changed = recorded;
    changed.compute = name;
    if (name.starts_with("mixed-"))
        changed.params = "fp32";
    else if (!name.starts_with("fp8-"))
        changed.params = name;
    else if (!isHalfName(recorded.params))
        changed.params = "fp16";
    const std::string half = halfOf(name, changed.params);
    const std::string part = half.empty() ? "fp32" : half;
    const bool wasHalf = !halfOf(recorded.compute, recorded.params).empty();
    if (isHalfName(recorded.norm))
        changed.norm = part;
    if (isHalfName(recorded.softmax))
        changed.softmax = part;
    // A run that kept its logits in fp32 on purpose keeps them; an fp32 run had no choice.
    if (isHalfName(recorded.logits) || !wasHalf)
        changed.logits = part;
    return changed;
}

BlockTypes RunPrecision::typesOf(std::int64_t block) const
{
    if (!fp32Blocks.contains(block))
        return types;
    BlockTypes full;
    full.stream = full.param = full.matmul = full.compute = types.compute;
    full.norm = full.softmax = full.logits = types.compute;
    full.fusedAttention = types.fusedAttention;
    return full;
}

Tensor throughFp8(const Tensor& tensor, NumberType fp8, const Tensor& scale, NumberType compute)
{
    const double largest = largestOf(fp8);
    const Tensor factor = scale.to(compute);
    return tensor.to(compute).mul(factor).clamp(-largest, largest).to(fp8).to(compute).div(factor);
}

}  // namespace firstbad::replay
