// SPDX-License-Identifier: GPL-3.0-or-later
#include "replay/families/gpt2_family.h"

#include "replay/families/config_reader.h"

#include <cmath>
#include <fmt/format.h>

namespace firstbad::replay {

namespace {

constexpr bool kInputMajor = true;

core::Result<ModelShape> gpt2Shape(const core::JsonValue& config)
{
    ConfigReader read(config);
    ModelShape shape;
    shape.blocks = read.size({"n_layer", "num_hidden_layers"});
    shape.hidden = read.size({"n_embd", "hidden_size"});
    shape.heads = shape.kvHeads = read.size({"n_head", "num_attention_heads"});
    shape.vocabulary = read.size({"vocab_size"});
    shape.positions = read.size({"n_positions", "n_ctx", "max_position_embeddings"});
    shape.inner = read.size({"n_inner", "intermediate_size"}, 4 * shape.hidden);
    shape.eps = read.real({"layer_norm_epsilon"}, 1e-5);
    shape.dropout = read.largest({"attn_pdrop", "embd_pdrop", "resid_pdrop"});
    shape.tied = read.flag("tie_word_embeddings", true);
    shape.scaleByLayer = read.flag("scale_attn_by_inverse_layer_idx", false);
    shape.scalesScores = read.flag("scale_attn_weights", true);
    shape.projectionBias = shape.mlpBias = true;
    read.divides("n_head must divide n_embd", shape.hidden, shape.heads);
    const auto activation = activationNamed(read.text("activation_function", "gelu_new"));
    if (read.failed())
        return tl::unexpected(read.error());
    if (!activation)
        return tl::unexpected(activation.error());
    shape.activation = *activation;
    shape.headWidth = shape.hidden / shape.heads;
    return shape;
}

std::vector<ParamSpec> gpt2Parameters(const ModelShape& shape, std::int64_t block)
{
    const auto h = shape.hidden;
    if (block < 0)
        return {{"wte.weight", "wte", "embedding", {shape.vocabulary, h}, ShardRule::Rows},
            {"wpe.weight", "wpe", "embedding", {shape.positions, h}}};
    if (block == shape.blocks) {
        std::vector<ParamSpec> head{{"ln_f.weight", "final_norm.weight", "final_norm", {h}},
            {"ln_f.bias", "final_norm.bias", "final_norm", {h}}};
        if (!shape.tied)
            head.push_back({"lm_head.weight", "logits.weight", "logits", {shape.vocabulary, h},
                ShardRule::Rows});
        return head;
    }
    std::vector<ParamSpec> out;
    const auto add = [&](std::string_view name, std::string_view op,
                         std::vector<std::int64_t> weight, std::int64_t bias) {
        out.push_back({fmt::format("h.{}.{}.weight", block, name), fmt::format("{}.weight", op),
            std::string(op), std::move(weight)});
        out.push_back({fmt::format("h.{}.{}.bias", block, name), fmt::format("{}.bias", op),
            std::string(op), {bias}});
    };
    add("ln_1", "ln_1", {h}, h);
    add("attn.c_attn", "attn.qkv", {h, 3 * h}, 3 * h);
    add("attn.c_proj", "attn.out", {h, h}, h);
    add("ln_2", "ln_2", {h}, h);
    add("mlp.c_fc", "mlp.fc", {h, shape.inner}, shape.inner);
    add("mlp.c_proj", "mlp.out", {shape.inner, h}, h);
    return out;
}

std::span<const OpSpec> gpt2Ops()
{
    static const std::vector<OpSpec> kOps{
        {"ln_1", {"<"}},
        {"attn.qkv", {"ln_1"}},
        {"attn.scores", {"attn.qkv"}},
        {"attn.softmax", {"attn.scores"}},
        {"attn.context", {"attn.softmax", "attn.qkv"}},
        {"attn.out", {"attn.context"}},
        {"residual_1", {"<", "attn.out"}},
        {"ln_2", {"residual_1"}},
        {"mlp.fc", {"ln_2"}},
        {"mlp.act", {"mlp.fc"}},
        {"mlp.out", {"mlp.act"}},
        {"residual_2", {"residual_1", "mlp.out"}},
    };
    return kOps;
}

AttentionRule gpt2Attention(const BlockRun& run)
{
    AttentionRule rule;
    rule.scales = run.shape.scalesScores || run.shape.scaleByLayer;
    if (run.shape.scalesScores)
        rule.scale /= std::sqrt(static_cast<double>(run.shape.headWidth));
    if (run.shape.scaleByLayer)
        rule.scale /= static_cast<double>(run.block + 1);
    rule.probabilities = run.types.matmul;  // cast to the type of v
    rule.softmaxReadsFp32 = run.types.mixed;
    return rule;
}

Tensor gpt2Forward(BlockRun& run, const Tensor& input)
{
    const BlockTypes& types = run.types;
    const Tensor x = stored(input, types.stream);
    run.saved["<"] = x;
    const Tensor normed = run.normed("ln_1", x, layerNorm(x, run.norm("ln_1"), types));
    const Tensor qkv = run.value(
        "attn.qkv", linear(normed, run.layer("attn.qkv", kInputMajor), types, types.matmul));
    const auto parts = qkv.chunk(3, -1);
    AttentionSaved& attention = run.attention;
    attention.q = splitHeads(parts[0], run.shape.heads);
    attention.k = splitHeads(parts[1], run.shape.heads);
    attention.v = splitHeads(parts[2], run.shape.heads);
    const AttentionRule rule = gpt2Attention(run);
    attentionScores(attention, rule, types);
    run.value("attn.scores", attention.scores);
    attentionSoftmax(attention, run.inputs.mask, rule, types);
    run.value("attn.softmax", attention.probabilities);
    const Tensor context = run.value("attn.context", attentionContext(attention, types));
    const Tensor out = run.value(
        "attn.out", linear(context, run.layer("attn.out", kInputMajor), types, types.matmul));
    const Tensor middle = run.value("residual_1", run.add(x, out));
    const Tensor normed2 = run.normed("ln_2", middle, layerNorm(middle, run.norm("ln_2"), types));
    const Tensor fc = run.value(
        "mlp.fc", linear(normed2, run.layer("mlp.fc", kInputMajor), types, types.matmul));
    const Tensor act = run.value("mlp.act", activate(fc, run.shape.activation, types));
    const Tensor mlp
        = run.value("mlp.out", linear(act, run.layer("mlp.out", kInputMajor), types, types.matmul));
    return run.value("residual_2", run.add(middle, mlp));
}

Tensor gpt2AttentionBackward(BlockRun& run, const Tensor& gradient)
{
    const auto found = attentionBackward(
        gradient, run.attention, run.inputs.mask, gpt2Attention(run), run.types);
    run.gradient("attn.softmax", found.probabilities);
    run.gradient("attn.scores", found.scores);
    return run.gradient(
        "attn.qkv", at::cat({mergeHeads(found.q), mergeHeads(found.k), mergeHeads(found.v)}, -1));
}

Tensor gpt2Backward(BlockRun& run, const Tensor& gradient)
{
    const BlockTypes& types = run.types;
    const Tensor dOut = run.gradient("residual_2", stored(gradient, types.stream));
    const Tensor dMlp = run.gradient("mlp.out", stored(dOut, types.matmul));
    const Tensor dAct = run.gradient(
        "mlp.act", run.linearBackward("mlp.out", dMlp, run.at("mlp.act"), kInputMajor));
    const Tensor dFc = run.gradient(
        "mlp.fc", activateBackward(dAct, run.at("mlp.fc"), run.shape.activation, types));
    const Tensor dNorm2
        = run.gradient("ln_2", run.linearBackward("mlp.fc", dFc, run.at("ln_2"), kInputMajor));
    const Tensor dMiddle = run.gradient(
        "residual_1", run.add(dOut, run.layerNormBackward("ln_2", dNorm2, run.at("residual_1"))));
    const Tensor dAttn = run.gradient("attn.out", stored(dMiddle, types.matmul));
    const Tensor dContext = run.gradient(
        "attn.context", run.linearBackward("attn.out", dAttn, run.at("attn.context"), kInputMajor));
    const Tensor dQkv = gpt2AttentionBackward(run, dContext);
    const Tensor dNorm1
        = run.gradient("ln_1", run.linearBackward("attn.qkv", dQkv, run.at("ln_1"), kInputMajor));
    return run.add(dMiddle, run.layerNormBackward("ln_1", dNorm1, run.at("<")));
}

}  // namespace

const Family kGpt2Family{
    "gpt2", "transformer.", false, gpt2Shape, gpt2Parameters, gpt2Ops, gpt2Forward, gpt2Backward};

}  // namespace firstbad::replay
