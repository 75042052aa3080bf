// SPDX-License-Identifier: GPL-3.0-or-later
// Pickles of state dicts as torch.save writes them, protocol 2 without memo. Pure.
#pragma once

#include "tests/unit/checkpoint/zip_builder.h"

#include <string>
#include <utility>
#include <vector>

namespace firstbad::test {

inline std::string pickledText(const std::string& text)
{
    return "X" + little(text.size(), 4) + text;
}

inline std::string pickledInt(std::int64_t value)
{
    return "\x8a\x08" + little(static_cast<std::uint64_t>(value), 8);
}

inline std::string pickledTuple(const std::vector<std::int64_t>& values)
{
    std::string text = "(";
    for (const std::int64_t value : values)
        text += pickledInt(value);
    return text + "t";
}

inline std::string pickledStorage(
    const std::string& storageClass, const std::string& key, std::int64_t elements)
{
    return "(" + pickledText("storage") + "ctorch\n" + storageClass + "\n" + pickledText(key)
        + pickledText("cpu") + pickledInt(elements) + "tQ";
}

struct PickledView {
    std::string storageClass = "FloatStorage";
    std::string key = "0";
    std::int64_t elements = 0;
    std::int64_t offset = 0;
    std::vector<std::int64_t> sizes;
    std::vector<std::int64_t> strides;
};

inline std::string pickledTensor(const PickledView& view)
{
    return "ctorch._utils\n_rebuild_tensor_v2\n("
        + pickledStorage(view.storageClass, view.key, view.elements) + pickledInt(view.offset)
        + pickledTuple(view.sizes) + pickledTuple(view.strides)
        + "\x89"
          "ccollections\nOrderedDict\n)RtR";
}

using PickledPairs = std::vector<std::pair<std::string, std::string>>;

inline std::string pickledDict(const PickledPairs& pairs)
{
    std::string text = "}(";
    for (const auto& [key, value] : pairs)
        text += pickledText(key) + value;
    return text + "u";
}

inline std::string pickle(const std::string& value)
{
    return "\x80\x02" + value + ".";
}

/// A sound archive with one float32 tensor a pair of (name, values).
inline ZipBuilder torchArchive(
    const std::vector<std::pair<std::string, std::string>>& storages, const std::string& data)
{
    ZipBuilder zip;
    zip.add(plainItem("m/data.pkl", data));
    for (const auto& [key, bytes] : storages)
        zip.add(plainItem("m/data/" + key, bytes));
    zip.add(plainItem("m/version", "3\n"));
    return zip;
}

/// `count` float32 numbers as bytes: 0, 1, 2, ...
inline std::string floatBytes(std::size_t count)
{
    std::string bytes;
    for (std::size_t i = 0; i < count; ++i) {
        const auto value = static_cast<float>(i);
        bytes.append(reinterpret_cast<const char*>(&value), sizeof(value));
    }
    return bytes;
}

}  // namespace firstbad::test
