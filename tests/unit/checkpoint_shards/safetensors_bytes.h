// SPDX-License-Identifier: GPL-3.0-or-later
// Safetensors files byte by byte, lies included. For tests; any thread.
#pragma once

#include "core/checkpoint/checkpoint_reader.h"
#include "tests/support/temp_folder.h"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <vector>

namespace firstbad::test {

/// Eight bytes of length, the header, the data.
inline std::string safetensorsFile(
    std::string_view header, std::string_view data, std::int64_t lengthError = 0)
{
    const auto length
        = static_cast<std::uint64_t>(static_cast<std::int64_t>(header.size()) + lengthError);
    std::string file(8, '\0');
    for (unsigned i = 0; i < 8; ++i)
        file[i] = static_cast<char>((length >> (8 * i)) & 0xFFU);
    return file.append(header).append(data);
}

inline std::string floatBytes(const std::vector<float>& values)
{
    std::string bytes(values.size() * sizeof(float), '\0');
    if (!values.empty())
        std::memcpy(bytes.data(), values.data(), bytes.size());
    return bytes;
}

inline core::Checkpoint openPath(const std::filesystem::path& path)
{
    core::JobContext job;
    auto opened = core::openCheckpoint(path, path.string(), job);
    if (!opened)
        throw std::runtime_error(opened.error().message);
    return std::move(*opened);
}

inline const core::CheckpointDamage* findDamage(
    const core::Checkpoint& checkpoint, std::string_view error)
{
    const auto& all = checkpoint.damage;
    const auto at = std::find_if(
        all.begin(), all.end(), [error](const auto& damage) { return damage.error == error; });
    return at == all.end() ? nullptr : &*at;
}

inline const core::CheckpointTensor* findTensor(
    const core::Checkpoint& checkpoint, std::string_view name)
{
    const auto& all = checkpoint.tensors;
    const auto at = std::find_if(
        all.begin(), all.end(), [name](const auto& tensor) { return tensor.name == name; });
    return at == all.end() ? nullptr : &*at;
}

inline std::vector<std::string> tensorNames(const core::Checkpoint& checkpoint)
{
    std::vector<std::string> names;
    for (const auto& tensor : checkpoint.tensors)
        names.push_back(tensor.name);
    return names;
}

/// The bytes of a tensor of one piece, front to back.
inline std::string bytesOfTensor(
    const core::Checkpoint& checkpoint, const core::CheckpointTensor& tensor)
{
    const auto stream = core::openStorage(checkpoint, tensor.pieces.at(0).storage);
    if (!stream)
        throw std::runtime_error(stream.error().message);
    std::string bytes;
    std::string buffer(4096, '\0');
    for (;;) {
        const auto got = (*stream)->read(std::span(buffer.data(), buffer.size()));
        if (!got)
            throw std::runtime_error(got.error().message);
        if (*got == 0)
            return bytes;
        bytes.append(buffer, 0, *got);
    }
}

}  // namespace firstbad::test
