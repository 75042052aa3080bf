// SPDX-License-Identifier: GPL-3.0-or-later
#include "replay/families/llama_family.h"

#include "replay/families/config_reader.h"

#include <cmath>
#include <fmt/format.h>

namespace firstbad::replay {

namespace {

double rotaryBase(ConfigReader& read)
{
    const auto* parameters = read.find({"rope_parameters", "rope_scaling"});
    if (parameters == nullptr)
        return read.real({"rope_theta"}, 10000.0);
    const auto* kind = parameters->find("rope_type");
    if (kind != nullptr && !kind->asText().empty() && kind->asText() != "default")
        read.fail(fmt::format(
            "The rotary positions of kind \"{}\" in the capsule's config are not known here.",
            kind->asText()));
    return ConfigReader(*parameters).real({"rope_theta"}, read.real({"rope_theta"}, 10000.0));
}

core::Result<ModelShape> llamaShape(const core::JsonValue& config)
{
    ConfigReader read(config);
    ModelShape shape;
    shape.blocks = read.size({"num_hidden_layers"});
    shape.hidden = read.size({"hidden_size"});
    shape.heads = read.size({"num_attention_heads"});
    shape.kvHeads = read.size({"num_key_value_heads"}, shape.heads);
    shape.inner = read.size({"intermediate_size"});
    shape.vocabulary = read.size({"vocab_size"});
    shape.eps = read.real({"rms_norm_eps"}, 1e-6);
    shape.dropout = read.largest({"attention_dropout"});
    shape.tied = read.flag("tie_word_embeddings", false);
    shape.projectionBias = read.flag("attention_bias", false);
    shape.mlpBias = read.flag("mlp_bias", false);
    shape.rotaryBase = rotaryBase(read);
    read.divides("num_key_value_heads must divide num_attention_heads", shape.heads, shape.kvHeads);
    const auto* width = read.find({"head_dim"});
    if (width == nullptr)
        read.divides("num_attention_heads must divide hidden_size", shape.hidden, shape.heads);
    shape.headWidth
        = read.size({"head_dim"}, std::max<std::int64_t>(1, shape.hidden / shape.heads));
    read.divides("rotary positions need an even head width", shape.headWidth, 2);
    const auto activation = activationNamed(read.text("hidden_act", "silu"));
    if (read.failed())
        return tl::unexpected(read.error());
    if (!activation)
        return tl::unexpected(activation.error());
    shape.activation = *activation;
    return shape;
}

std::vector<ParamSpec> llamaBlockParameters(const ModelShape& shape, std::int64_t block)
{
    const auto h = shape.hidden;
    const auto q = shape.heads * shape.headWidth;
    const auto kv = shape.kvHeads * shape.headWidth;
    std::vector<ParamSpec> out;
    const auto add = [&](std::string_view name, std::string_view op,
                         std::vector<std::int64_t> weight, bool bias, ShardRule shard) {
        const auto rows = weight.front();
        out.push_back({fmt::format("layers.{}.{}.weight", block, name),
            fmt::format("{}.weight", op), std::string(op), std::move(weight), shard});
        if (bias)
            out.push_back({fmt::format("layers.{}.{}.bias", block, name),
                fmt::format("{}.bias", op), std::string(op), {rows}});
    };
    const bool bias = shape.projectionBias;
    add("input_layernorm", "norm_1", {h}, false, ShardRule::Replicated);
    add("self_attn.q_proj", "attn.q", {q, h}, bias, ShardRule::Rows);
    add("self_attn.k_proj", "attn.k", {kv, h}, bias, ShardRule::Rows);
    add("self_attn.v_proj", "attn.v", {kv, h}, bias, ShardRule::Rows);
    add("self_attn.o_proj", "attn.out", {h, q}, bias, ShardRule::Columns);
    add("post_attention_layernorm", "norm_2", {h}, false, ShardRule::Replicated);
    add("mlp.gate_proj", "mlp.gate", {shape.inner, h}, shape.mlpBias, ShardRule::Rows);
    add("mlp.up_proj", "mlp.up", {shape.inner, h}, shape.mlpBias, ShardRule::Rows);
    add("mlp.down_proj", "mlp.out", {h, shape.inner}, shape.mlpBias, ShardRule::Columns);
    return out;
}

std::vector<ParamSpec> llamaParameters(const ModelShape& shape, std::int64_t block)
{
    const auto h = shape.hidden;
    if (block < 0)
        return {
            {"embed_tokens.weight", "wte", "embedding", {shape.vocabulary, h}, ShardRule::Rows}};
    if (block < shape.blocks)
        return llamaBlockParameters(shape, block);
    std::vector<ParamSpec> head{{"norm.weight", "final_norm.weight", "final_norm", {h}}};
    if (!shape.tied)
        head.push_back(
            {"lm_head.weight", "logits.weight", "logits", {shape.vocabulary, h}, ShardRule::Rows});
    return head;
}

std::span<const OpSpec> llamaOps()
{
    static const std::vector<OpSpec> kOps{
        {"norm_1", {"<"}},
        {"attn.q", {"norm_1"}},
        {"attn.k", {"norm_1"}},
        {"attn.v", {"norm_1"}},
        {"attn.rope", {"attn.q", "attn.k"}},
        {"attn.scores", {"attn.rope"}},
        {"attn.softmax", {"attn.scores"}},
        {"attn.context", {"attn.softmax", "attn.v"}},
        {"attn.out", {"attn.context"}},
        {"residual_1", {"<", "attn.out"}},
        {"norm_2", {"residual_1"}},
        {"mlp.gate", {"norm_2"}},
        {"mlp.up", {"norm_2"}},
        {"mlp.act", {"mlp.gate", "mlp.up"}},
        {"mlp.out", {"mlp.act"}},
        {"residual_2", {"residual_1", "mlp.out"}},
    };
    return kOps;
}

/// cos and sin come in the stream's type, and q * cos takes the wider of the two.
NumberType ropeType(const BlockTypes& types)
{
    return at::promote_types(types.matmul, types.stream);
}

AttentionRule llamaAttention(const BlockRun& run)
{
    AttentionRule rule;
    rule.scale = 1.0 / std::sqrt(static_cast<double>(run.shape.headWidth));
    rule.softmaxReadsFp32 = true;
    rule.probabilities = ropeType(run.types);  // cast to the type of q
    return rule;
}

void llamaAttentionForward(BlockRun& run, const Tensor& normed)
{
    const BlockTypes& types = run.types;
    const auto project = [&](std::string_view op) {
        return run.value(op, linear(normed, run.layer(op, false), types, types.matmul));
    };
    const Tensor q = splitHeads(project("attn.q"), run.shape.heads);
    const Tensor k = splitHeads(project("attn.k"), run.shape.kvHeads);
    AttentionSaved& attention = run.attention;
    attention.v = splitHeads(project("attn.v"), run.shape.kvHeads);
    const NumberType type = ropeType(types);
    attention.q = rotate(q, run.inputs.rotary, types.stream, type, types.compute);
    attention.k = rotate(k, run.inputs.rotary, types.stream, type, types.compute);
    run.value("attn.rope", at::cat({attention.q, attention.k}, 1));
    const AttentionRule rule = llamaAttention(run);
    attentionScores(attention, rule, types);
    run.value("attn.scores", attention.scores);
    attentionSoftmax(attention, run.inputs.mask, rule, types);
    run.value("attn.softmax", attention.probabilities);
    run.value("attn.context", attentionContext(attention, types));
}

Tensor llamaForward(BlockRun& run, const Tensor& input)
{
    const BlockTypes& types = run.types;
    const Tensor x = stored(input, types.stream);
    run.saved["<"] = x;
    llamaAttentionForward(run, run.normed("norm_1", x, rmsNorm(x, run.norm("norm_1"), types)));
    const Tensor out = run.value("attn.out",
        linear(run.at("attn.context"), run.layer("attn.out", false), types, types.matmul));
    const Tensor middle = run.value("residual_1", run.add(x, out));
    const Tensor normed = run.normed("norm_2", middle, rmsNorm(middle, run.norm("norm_2"), types));
    const Tensor gate
        = run.value("mlp.gate", linear(normed, run.layer("mlp.gate", false), types, types.matmul));
    const Tensor up
        = run.value("mlp.up", linear(normed, run.layer("mlp.up", false), types, types.matmul));
    const Tensor opened = activate(gate, run.shape.activation, types);
    run.saved["opened"] = opened;
    const Tensor act = run.value(
        "mlp.act", stored(stored(opened, types.compute) * stored(up, types.compute), types.matmul));
    const Tensor mlp
        = run.value("mlp.out", linear(act, run.layer("mlp.out", false), types, types.matmul));
    return run.value("residual_2", run.add(middle, mlp));
}

/// Sum of contributions to one tensor, each already rounded, added in turn.
Tensor accumulated(const std::vector<Tensor>& parts, const BlockTypes& types, NumberType type)
{
    Tensor sum = parts.front();
    for (std::size_t i = 1; i < parts.size(); ++i)
        sum = stored(stored(sum, types.compute) + stored(parts[i], types.compute), type);
    return sum;
}

Tensor llamaMlpBackward(BlockRun& run, const Tensor& dOut)
{
    const BlockTypes& types = run.types;
    const Tensor dMlp = run.gradient("mlp.out", stored(dOut, types.matmul));
    const Tensor dAct
        = run.gradient("mlp.act", run.linearBackward("mlp.out", dMlp, run.at("mlp.act"), false));
    const Tensor dy = stored(dAct, types.compute);
    const Tensor dUp = run.gradient(
        "mlp.up", stored(dy * stored(run.at("opened"), types.compute), types.matmul));
    const Tensor dOpened = stored(dy * stored(run.at("mlp.up"), types.compute), types.matmul);
    const Tensor dGate = run.gradient(
        "mlp.gate", activateBackward(dOpened, run.at("mlp.gate"), run.shape.activation, types));
    const Tensor viaUp = run.linearBackward("mlp.up", dUp, run.at("norm_2"), false);
    const Tensor viaGate = run.linearBackward("mlp.gate", dGate, run.at("norm_2"), false);
    const Tensor dNorm = run.gradient("norm_2", accumulated({viaUp, viaGate}, types, types.stream));
    return run.rmsNormBackward("norm_2", dNorm, run.at("residual_1"));
}

Tensor llamaAttentionBackward(BlockRun& run, const Tensor& dContext)
{
    const BlockTypes& types = run.types;
    const auto found
        = attentionBackward(dContext, run.attention, run.inputs.mask, llamaAttention(run), types);
    run.gradient("attn.softmax", found.probabilities);
    run.gradient("attn.scores", found.scores);
    run.gradient("attn.rope", at::cat({found.q, found.k}, 1));
    const auto unrotated = [&](const Tensor& gradient) {
        return mergeHeads(
            rotateBackward(gradient, run.inputs.rotary, types.stream, types.matmul, types.compute));
    };
    const Tensor dV = run.gradient("attn.v", mergeHeads(found.v));
    const Tensor dK = run.gradient("attn.k", unrotated(found.k));
    const Tensor dQ = run.gradient("attn.q", unrotated(found.q));
    const Tensor& normed = run.at("norm_1");
    const Tensor viaV = run.linearBackward("attn.v", dV, normed, false);
    const Tensor viaK = run.linearBackward("attn.k", dK, normed, false);
    const Tensor viaQ = run.linearBackward("attn.q", dQ, normed, false);
    return accumulated({viaV, viaK, viaQ}, types, types.stream);
}

Tensor llamaBackward(BlockRun& run, const Tensor& gradient)
{
    const BlockTypes& types = run.types;
    const Tensor dOut = run.gradient("residual_2", stored(gradient, types.stream));
    const Tensor dMiddle = run.gradient("residual_1", run.add(dOut, llamaMlpBackward(run, dOut)));
    const Tensor dAttn = run.gradient("attn.out", stored(dMiddle, types.matmul));
    const Tensor dContext = run.gradient(
        "attn.context", run.linearBackward("attn.out", dAttn, run.at("attn.context"), false));
    const Tensor dNorm = run.gradient("norm_1", llamaAttentionBackward(run, dContext));
    return run.add(dMiddle, run.rmsNormBackward("norm_1", dNorm, run.at("<")));
}

}  // namespace

const Family kLlamaFamily{
    "llama", "model.", true, llamaShape, llamaParameters, llamaOps, llamaForward, llamaBackward};

}  // namespace firstbad::replay
