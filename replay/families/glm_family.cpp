// SPDX-License-Identifier: GPL-3.0-or-later
#include "replay/families/glm_family.h"

#include "replay/families/config_reader.h"

#include <cmath>
#include <fmt/format.h>

namespace firstbad::replay {

namespace {

constexpr double kBlockedScore = -10000.0;

core::Result<ModelShape> glmShape(const core::JsonValue& config)
{
    ConfigReader read(config);
    ModelShape shape;
    shape.blocks = read.size({"num_layers", "num_hidden_layers"});
    shape.hidden = read.size({"hidden_size"});
    shape.heads = shape.kvHeads = read.size({"num_attention_heads"});
    shape.inner = read.size({"inner_hidden_size", "ffn_hidden_size"}, 8 * shape.hidden / 3);
    shape.vocabulary = read.size({"vocab_size"});
    shape.eps = read.real({"layernorm_epsilon"}, 1e-5);
    shape.dropout = read.largest({"attention_dropout", "hidden_dropout"});
    shape.tied = true;
    shape.projectionBias = shape.mlpBias = true;
    shape.activation = Activation::Gelu;
    read.divides("num_attention_heads must divide hidden_size", shape.hidden, shape.heads);
    shape.headWidth = std::max<std::int64_t>(1, shape.hidden / shape.heads);
    read.divides("rotary positions need an even head width", shape.headWidth, 2);
    if (read.failed())
        return tl::unexpected(read.error());
    shape.residualScale = std::sqrt(2.0 * static_cast<double>(shape.blocks));
    return shape;
}

std::vector<ParamSpec> glmParameters(const ModelShape& shape, std::int64_t block)
{
    const auto h = shape.hidden;
    if (block < 0)
        return {
            {"word_embeddings.weight", "wte", "embedding", {shape.vocabulary, h}, ShardRule::Rows}};
    if (block == shape.blocks)
        return {{"final_layernorm.weight", "final_norm.weight", "final_norm", {h}},
            {"final_layernorm.bias", "final_norm.bias", "final_norm", {h}}};
    std::vector<ParamSpec> out;
    const auto add = [&](std::string_view name, std::string_view op,
                         std::vector<std::int64_t> weight, ShardRule shard, ShardRule biasShard) {
        const auto rows = weight.front();
        out.push_back({fmt::format("layers.{}.{}.weight", block, name),
            fmt::format("{}.weight", op), std::string(op), std::move(weight), shard});
        out.push_back({fmt::format("layers.{}.{}.bias", block, name), fmt::format("{}.bias", op),
            std::string(op), {rows}, biasShard});
    };
    constexpr auto kWhole = ShardRule::Replicated;
    add("input_layernorm", "ln_in", {h}, kWhole, kWhole);
    add("attention.query_key_value", "attn.qkv", {3 * h, h}, ShardRule::Rows, ShardRule::Rows);
    add("attention.dense", "attn.out", {h, h}, ShardRule::Columns, kWhole);
    add("post_attention_layernorm", "ln_post", {h}, kWhole, kWhole);
    add("mlp.dense_h_to_4h", "mlp.h_to_4h", {2 * shape.inner, h}, ShardRule::GatedRows,
        ShardRule::GatedRows);
    add("mlp.dense_4h_to_h", "mlp.out", {h, shape.inner}, ShardRule::Columns, kWhole);
    return out;
}

std::span<const OpSpec> glmOps()
{
    static const std::vector<OpSpec> kOps{
        {"ln_in", {"<"}},
        {"attn.qkv", {"ln_in"}},
        {"attn.rope", {"attn.qkv"}},
        {"attn.q_scaled", {"attn.rope"}},
        {"attn.scores", {"attn.q_scaled", "attn.rope"}},
        {"attn.softmax", {"attn.scores"}},
        {"attn.context", {"attn.softmax", "attn.qkv"}},
        {"attn.out", {"attn.context"}},
        {"residual_1", {"ln_in", "attn.out"}},
        {"ln_post", {"residual_1"}},
        {"mlp.h_to_4h", {"ln_post"}},
        {"mlp.act", {"mlp.h_to_4h"}},
        {"mlp.out", {"mlp.act"}},
        {"residual_2", {"ln_post", "mlp.out"}},
    };
    return kOps;
}

AttentionRule glmAttention(const BlockRun& run)
{
    AttentionRule rule;
    rule.scales = false;
    rule.blockedValue = kBlockedScore;
    rule.softmaxFactor = static_cast<double>(run.block + 1);
    rule.softmaxReadsFp32 = true;
    rule.probabilities = run.types.matmul;
    return rule;
}

double queryDivisor(const BlockRun& run)
{
    return std::sqrt(static_cast<double>(run.shape.headWidth)) * static_cast<double>(run.block + 1);
}

void glmAttentionForward(BlockRun& run, const Tensor& qkv)
{
    const BlockTypes& types = run.types;
    const auto parts = splitHeads(qkv, run.shape.heads).chunk(3, -1);
    const auto turn = [&](const Tensor& x) {
        return rotate(x, run.inputs.rotary, types.matmul, types.matmul, types.compute);
    };
    AttentionSaved& attention = run.attention;
    const Tensor q = turn(parts[0]);
    attention.k = turn(parts[1]);
    attention.v = parts[2].contiguous();
    run.value("attn.rope", at::cat({q, attention.k}, 1));
    attention.q = run.value(
        "attn.q_scaled", stored(stored(q, types.compute) / queryDivisor(run), types.matmul));
    const AttentionRule rule = glmAttention(run);
    attentionScores(attention, rule, types);
    run.value("attn.scores", attention.scores);
    attentionSoftmax(attention, run.inputs.mask, rule, types);
    run.value("attn.softmax", attention.probabilities);
    run.value("attn.context", attentionContext(attention, types));
}

/// alpha * u is stored before the sum.
Tensor scaledResidual(const BlockRun& run, const Tensor& u, const Tensor& out)
{
    const Tensor scaled = stored(u, run.types.compute) * run.shape.residualScale;
    return run.add(stored(scaled, run.types.stream), out);
}

Tensor glmForward(BlockRun& run, const Tensor& input)
{
    const BlockTypes& types = run.types;
    const Tensor x = stored(input, types.stream);
    run.saved["<"] = x;
    const Tensor u = run.normed("ln_in", x, layerNorm(x, run.norm("ln_in"), types));
    glmAttentionForward(
        run, run.value("attn.qkv", linear(u, run.layer("attn.qkv", false), types, types.matmul)));
    const Tensor out = run.value("attn.out",
        linear(run.at("attn.context"), run.layer("attn.out", false), types, types.matmul));
    const Tensor middle = run.value("residual_1", scaledResidual(run, u, out));
    const Tensor w = run.normed("ln_post", middle, layerNorm(middle, run.norm("ln_post"), types));
    const Tensor wide
        = run.value("mlp.h_to_4h", linear(w, run.layer("mlp.h_to_4h", false), types, types.matmul));
    const auto halves = wide.chunk(2, -1);
    const Tensor gate = activate(halves[1], run.shape.activation, types);
    run.saved["gate"] = gate;
    const Tensor act = run.value("mlp.act",
        stored(stored(halves[0], types.compute) * stored(gate, types.compute), types.matmul));
    const Tensor mlp
        = run.value("mlp.out", linear(act, run.layer("mlp.out", false), types, types.matmul));
    return run.value("residual_2", scaledResidual(run, w, mlp));
}

Tensor glmAttentionBackward(BlockRun& run, const Tensor& dContext)
{
    const BlockTypes& types = run.types;
    const auto found
        = attentionBackward(dContext, run.attention, run.inputs.mask, glmAttention(run), types);
    run.gradient("attn.softmax", found.probabilities);
    run.gradient("attn.scores", found.scores);
    run.gradient("attn.q_scaled", found.q);
    const Tensor dQ = stored(stored(found.q, types.compute) / queryDivisor(run), types.matmul);
    run.gradient("attn.rope", at::cat({dQ, found.k}, 1));
    const auto unrotated = [&](const Tensor& gradient) {
        return rotateBackward(
            gradient, run.inputs.rotary, types.matmul, types.matmul, types.compute);
    };
    return run.gradient(
        "attn.qkv", mergeHeads(at::cat({unrotated(dQ), unrotated(found.k), found.v}, -1)));
}

Tensor glmMlpBackward(BlockRun& run, const Tensor& dMlp)
{
    const BlockTypes& types = run.types;
    const Tensor dAct
        = run.gradient("mlp.act", run.linearBackward("mlp.out", dMlp, run.at("mlp.act"), false));
    const Tensor dy = stored(dAct, types.compute);
    const auto halves = run.at("mlp.h_to_4h").chunk(2, -1);
    const Tensor dValue = stored(dy * stored(run.at("gate"), types.compute), types.matmul);
    const Tensor dGate = stored(dy * stored(halves[0], types.compute), types.matmul);
    const Tensor dWide = run.gradient("mlp.h_to_4h",
        at::cat({dValue, activateBackward(dGate, halves[1], run.shape.activation, types)}, -1));
    return run.linearBackward("mlp.h_to_4h", dWide, run.at("ln_post"), false);
}

/// Gradient of a normalised value that feeds a layer and, scaled, the residual.
Tensor residualGradient(const BlockRun& run, const Tensor& dOut, const Tensor& viaLayer)
{
    const Tensor scaled = stored(dOut, run.types.compute) * run.shape.residualScale;
    return run.add(stored(scaled, run.types.stream), viaLayer);
}

Tensor glmBackward(BlockRun& run, const Tensor& gradient)
{
    const BlockTypes& types = run.types;
    const Tensor dOut = run.gradient("residual_2", stored(gradient, types.stream));
    const Tensor dMlp = run.gradient("mlp.out", stored(dOut, types.matmul));
    const Tensor dPost
        = run.gradient("ln_post", residualGradient(run, dOut, glmMlpBackward(run, dMlp)));
    const Tensor dMiddle
        = run.gradient("residual_1", run.layerNormBackward("ln_post", dPost, run.at("residual_1")));
    const Tensor dAttn = run.gradient("attn.out", stored(dMiddle, types.matmul));
    const Tensor dContext = run.gradient(
        "attn.context", run.linearBackward("attn.out", dAttn, run.at("attn.context"), false));
    const Tensor dQkv = glmAttentionBackward(run, dContext);
    const Tensor viaQkv = run.linearBackward("attn.qkv", dQkv, run.at("ln_in"), false);
    const Tensor dIn = run.gradient("ln_in", residualGradient(run, dMiddle, viaQkv));
    return run.layerNormBackward("ln_in", dIn, run.at("<"));
}

}  // namespace

const Family kGlmFamily{
    "glm", "transformer.", false, glmShape, glmParameters, glmOps, glmForward, glmBackward};

}  // namespace firstbad::replay
