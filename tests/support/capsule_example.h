// SPDX-License-Identifier: GPL-3.0-or-later
// Small capsules made by tests: safetensors files from numbers, and a capsule.json around them.
//
// Writes into a folder of the caller's; one thread.
#pragma once

#include "tests/support/temp_folder.h"

#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <vector>

namespace firstbad::test {

struct ExampleTensor {
    std::string name;
    std::string dtype;  ///< "I64", "F32", "F16", ...
    std::vector<std::int64_t> shape;
    std::string bytes;
};

template <class T>
[[nodiscard]] ExampleTensor exampleTensor(std::string name, std::string dtype,
    std::vector<std::int64_t> shape, const std::vector<T>& values)
{
    std::string bytes(values.size() * sizeof(T), '\0');
    std::memcpy(bytes.data(), values.data(), bytes.size());
    return {std::move(name), std::move(dtype), std::move(shape), std::move(bytes)};
}

[[nodiscard]] inline std::string safetensorsBytes(const std::vector<ExampleTensor>& tensors)
{
    std::string header = "{";
    std::string data;
    for (const auto& tensor : tensors) {
        std::string shape;
        for (const auto size : tensor.shape)
            shape += (shape.empty() ? "" : ",") + std::to_string(size);
        header += (header.size() > 1 ? "," : "") + ("\"" + tensor.name) + R"(":{"dtype":")"
            + tensor.dtype + R"(","shape":[)" + shape + R"(],"data_offsets":[)"
            + std::to_string(data.size()) + "," + std::to_string(data.size() + tensor.bytes.size())
            + "]}";
        data += tensor.bytes;
    }
    header += "}";
    const auto length = static_cast<std::uint64_t>(header.size());
    std::string bytes(8, '\0');
    std::memcpy(bytes.data(), &length, 8);
    return bytes + header + data;
}

/// A gpt2 capsule without tensors; `changes` are pairs of a text in it and what replaces it.
[[nodiscard]] inline std::string capsuleJson(
    const std::vector<std::pair<std::string, std::string>>& changes = {})
{
    std::string json = R"({"firstbad_capsule":1,"run_id":"r","attempt":0,"step":12,"micro_step":0,
"rank":0,"family":"gpt2","config":{"n_layer":1,"n_embd":4,"n_head":2,"n_inner":8,"n_positions":8,
"vocab_size":10,"layer_norm_epsilon":1e-05},
"precision":{"compute":"fp32","params":"fp32","softmax":"fp32","norm":"fp32","logits":"fp32","loss_scale":1.0,"attention":"eager"},
"loss":{"kind":"cross_entropy","ignore_index":-100,"shifted":false},"train":true,
"batch":{"file":"batch.safetensors","tensors":["input_ids","labels"]},
"weights":{"file":"weights.safetensors"},
"state":{"optimizer":null,"scaler":null,"buffers":null,"fp8":null},"rng":null,
"sample_ids":["a",2],"observed":{"loss":NaN,"grad_norm":"Infinity","loss_scale":1.0,"found_inf":true,
"first_bad":{"lane":"forward","block":0,"op":"ln_1","tensor":"output","kind":"NaN"},"boundaries":null},
"environment":{"torch":"2.15.0"},"micro_steps":null})";
    for (const auto& [from, to] : changes) {
        const auto at = json.find(from);
        if (at != std::string::npos)
            json.replace(at, from.size(), to);
    }
    return json;
}

}  // namespace firstbad::test
