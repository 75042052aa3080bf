// SPDX-License-Identifier: GPL-3.0-or-later
// TinyCapsule: a capsule of a few numbers, written into a folder by the test that needs it.
//
// One thread. Weights are a fixed sequence, so that two runs write the same bytes.
#pragma once

#include "tests/support/temp_folder.h"

#include <cmath>
#include <cstdint>
#include <cstring>
#include <string>
#include <utility>
#include <vector>

namespace firstbad::test {

struct TinyTensor {
    std::string name;
    std::vector<std::int64_t> shape;
    std::vector<double> values;
};

/// A safetensors file of fp64 values.
inline std::string tinyTensors(const std::vector<TinyTensor>& tensors)
{
    std::string header = "{";
    std::string data;
    for (const auto& tensor : tensors) {
        std::string shape;
        for (const auto size : tensor.shape)
            shape += (shape.empty() ? "" : ",") + std::to_string(size);
        const std::size_t begin = data.size();
        data.append(reinterpret_cast<const char*>(tensor.values.data()),
            tensor.values.size() * sizeof(double));
        header += (header.size() > 1 ? ",\"" : "\"") + tensor.name + R"(":{"dtype":"F64","shape":[)"
            + shape + R"(],"data_offsets":[)" + std::to_string(begin) + ","
            + std::to_string(data.size()) + "]}";
    }
    header += "}";
    const std::uint64_t length = header.size();
    std::string out(8, '\0');
    std::memcpy(out.data(), &length, sizeof(length));
    return out + header + data;
}

/// input_ids (and labels) of one batch as int64.
inline std::string tinyBatch(std::int64_t rows, const std::vector<std::int64_t>& ids)
{
    const auto shape
        = std::to_string(rows) + "," + std::to_string(static_cast<std::int64_t>(ids.size()) / rows);
    const auto bytes = ids.size() * sizeof(std::int64_t);
    std::string header = R"({"input_ids":{"dtype":"I64","shape":[)" + shape
        + R"(],"data_offsets":[0,)" + std::to_string(bytes)
        + R"(]},"labels":{"dtype":"I64","shape":[)" + shape + R"(],"data_offsets":[0,)"
        + std::to_string(bytes) + "]}}";
    const std::uint64_t length = header.size();
    std::string out(8, '\0');
    std::memcpy(out.data(), &length, sizeof(length));
    return out + header + std::string(reinterpret_cast<const char*>(ids.data()), bytes);
}

/// Numbers that look irregular and are the same everywhere.
inline std::vector<double> tinyValues(std::size_t count, double scale, double phase)
{
    std::vector<double> out(count);
    for (std::size_t i = 0; i < count; ++i)
        out[i] = scale * std::sin(phase + 1.7 * static_cast<double>(i));
    return out;
}

struct TinyModel {
    std::string family;
    std::string config;  ///< JSON object
    std::vector<TinyTensor> weights;
};

inline std::size_t elementsOf(const std::vector<std::int64_t>& shape)
{
    std::size_t count = 1;
    for (const auto size : shape)
        count *= static_cast<std::size_t>(size);
    return count;
}

/// Gains near 1, everything else small.
inline void addWeights(
    TinyModel& model, const std::vector<std::pair<std::string, std::vector<std::int64_t>>>& shapes)
{
    for (const auto& [name, shape] : shapes) {
        const bool gain = shape.size() == 1 && name.ends_with("weight");
        TinyTensor tensor{name, shape,
            tinyValues(elementsOf(shape), 0.4, static_cast<double>(model.weights.size()))};
        for (double& value : tensor.values)
            value += gain ? 1.0 : 0.0;
        model.weights.push_back(std::move(tensor));
    }
}

inline TinyModel tinyGpt2()
{
    TinyModel model{"gpt2",
        R"({"n_layer":1,"n_embd":4,"n_head":2,"n_inner":6,"n_positions":4,"vocab_size":7})", {}};
    addWeights(model,
        {{"wte.weight", {7, 4}}, {"wpe.weight", {4, 4}}, {"h.0.ln_1.weight", {4}},
            {"h.0.ln_1.bias", {4}}, {"h.0.attn.c_attn.weight", {4, 12}},
            {"h.0.attn.c_attn.bias", {12}}, {"h.0.attn.c_proj.weight", {4, 4}},
            {"h.0.attn.c_proj.bias", {4}}, {"h.0.ln_2.weight", {4}}, {"h.0.ln_2.bias", {4}},
            {"h.0.mlp.c_fc.weight", {4, 6}}, {"h.0.mlp.c_fc.bias", {6}},
            {"h.0.mlp.c_proj.weight", {6, 4}}, {"h.0.mlp.c_proj.bias", {4}}, {"ln_f.weight", {4}},
            {"ln_f.bias", {4}}});
    return model;
}

inline TinyModel tinyLlama()
{
    TinyModel model{"llama",
        R"({"num_hidden_layers":1,"hidden_size":8,"num_attention_heads":2,"num_key_value_heads":1,)"
        R"("intermediate_size":6,"vocab_size":7,"rms_norm_eps":1e-5})",
        {}};
    addWeights(model,
        {{"embed_tokens.weight", {7, 8}}, {"layers.0.input_layernorm.weight", {8}},
            {"layers.0.self_attn.q_proj.weight", {8, 8}},
            {"layers.0.self_attn.k_proj.weight", {4, 8}},
            {"layers.0.self_attn.v_proj.weight", {4, 8}},
            {"layers.0.self_attn.o_proj.weight", {8, 8}},
            {"layers.0.post_attention_layernorm.weight", {8}},
            {"layers.0.mlp.gate_proj.weight", {6, 8}}, {"layers.0.mlp.up_proj.weight", {6, 8}},
            {"layers.0.mlp.down_proj.weight", {8, 6}}, {"norm.weight", {8}},
            {"lm_head.weight", {7, 8}}});
    return model;
}

inline TinyModel tinyGlm()
{
    TinyModel model{"glm",
        R"({"num_layers":1,"hidden_size":8,"num_attention_heads":2,"inner_hidden_size":6,"vocab_size":7})",
        {}};
    const std::string block = "layers.0.";
    addWeights(model,
        {{"word_embeddings.weight", {7, 8}}, {block + "input_layernorm.weight", {8}},
            {block + "input_layernorm.bias", {8}},
            {block + "attention.query_key_value.weight", {24, 8}},
            {block + "attention.query_key_value.bias", {24}},
            {block + "attention.dense.weight", {8, 8}}, {block + "attention.dense.bias", {8}},
            {block + "post_attention_layernorm.weight", {8}},
            {block + "post_attention_layernorm.bias", {8}},
            {block + "mlp.dense_h_to_4h.weight", {12, 8}}, {block + "mlp.dense_h_to_4h.bias", {12}},
            {block + "mlp.dense_4h_to_h.weight", {8, 6}}, {block + "mlp.dense_4h_to_h.bias", {8}},
            {"final_layernorm.weight", {8}}, {"final_layernorm.bias", {8}}});
    return model;
}

/// Writes the capsule into `folder`; `precision` is that of everything in it.
inline void writeTiny(const TempFolder& folder, const TinyModel& model,
    const std::string& precision, const std::vector<std::int64_t>& ids)
{
    folder.write("weights.safetensors", tinyTensors(model.weights));
    folder.write("batch.safetensors", tinyBatch(2, ids));
    folder.write("capsule.json",
        R"({"firstbad_capsule":1,"run_id":"tiny","attempt":0,"step":1,"micro_step":0,"rank":0,"family":")"
            + model.family + R"(","config":)" + model.config + R"(,"precision":{"compute":")"
            + precision + R"(","params":")" + precision
            + R"(","softmax":"fp32","norm":"fp32","logits":")" + precision
            + R"(","loss_scale":1.0,"attention":"eager"},"loss":{"kind":"cross_entropy"},"train":true,)"
              R"("batch":{"file":"batch.safetensors","tensors":["input_ids","labels"]},)"
              R"("weights":{"file":"weights.safetensors"},"state":{"optimizer":null,"scaler":null,)"
              R"("buffers":null,"fp8":null},"rng":null,"sample_ids":[1,2],"observed":{},)"
              R"("environment":{},"micro_steps":null})");
}

}  // namespace firstbad::test
