// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/checkpoint/kinds.h"
#include "tests/support/catch.h"

using namespace firstbad::core;

namespace {

std::vector<PathPart> pathOf(const std::vector<std::string>& names)
{
    std::vector<PathPart> path;
    for (const std::string& name : names)
        path.push_back({PathPart::Kind::Text, name});
    return path;
}

}  // namespace

TEST_CASE("what a tensor is follows from the names that lead to it", "[kinds]")
{
    struct Case {
        TensorKind kind;
        std::vector<std::string> path;
        std::vector<std::int64_t> shape;
    };
    const auto c = GENERATE(values<Case>({
        {TensorKind::Param, {"model", "blocks.0.attn.qkv.weight"}, {36, 12}},
        {TensorKind::Param, {"module", "optimus.weight"}, {2}},
        {TensorKind::Optimizer, {"optimizer", "state", "0", "exp_avg"}, {2}},
        {TensorKind::Optimizer, {"optimizer_states", "0", "state", "0", "step"}, {}},
        {TensorKind::Optimizer, {"optim.state.w.exp_avg_sq"}, {2}},
        {TensorKind::Master, {"optimizer", "fp32_from_fp16_params", "0", "3"}, {2}},
        {TensorKind::Master, {"optimizer.state.param.decoder.weight"}, {2}},
        {TensorKind::Master, {"optimizer", "0", "torch.float32", "param"}, {2}},
        {TensorKind::Scaler, {"optimizer", "grad_scaler", "scale"}, {1}},
        {TensorKind::Scaler, {"scaler", "scale"}, {}},
        {TensorKind::Rng, {"rng_state", "torch"}, {64}},
        {TensorKind::Rng, {"cuda_rng_state"}, {16}},
        {TensorKind::Buffer, {"bn.running_var"}, {4}},
        {TensorKind::Buffer, {"h.0.attn.bias"}, {1, 1, 8, 8}},
        {TensorKind::Param, {"h.0.attn.bias"}, {8}},
    }));
    CAPTURE(c.path);
    CHECK(kindOfPath(pathOf(c.path), c.shape) == c.kind);
}

TEST_CASE("only masks may hold minus infinity", "[kinds]")
{
    CheckpointTensor tensor;
    tensor.kind = TensorKind::Buffer;
    tensor.shape = {8, 8};
    tensor.path = pathOf({"transformer", "attn_mask"});
    CHECK(mayHoldMinusInfinity(tensor));
    tensor.shape = {8, 7};
    CHECK_FALSE(mayHoldMinusInfinity(tensor));
    tensor.path = pathOf({"h.0.attn.bias"});
    tensor.shape = {1, 1, 8, 8};
    CHECK(mayHoldMinusInfinity(tensor));
    tensor.path = pathOf({"h.0.mlp.weight"});
    CHECK_FALSE(mayHoldMinusInfinity(tensor));
    tensor.path = pathOf({"optimizer", "attn_mask"});
    tensor.kind = TensorKind::Optimizer;
    CHECK_FALSE(mayHoldMinusInfinity(tensor));
}
