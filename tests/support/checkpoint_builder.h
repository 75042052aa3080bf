// SPDX-License-Identifier: GPL-3.0-or-later
// Checkpoints made by hand in a temporary folder: one file of raw float32 storages.
#pragma once

#include "core/checkpoint/checkpoint.h"
#include "tests/support/temp_folder.h"

#include <algorithm>
#include <cstring>
#include <fstream>
#include <string>
#include <vector>

namespace firstbad::test {

class CheckpointBuilder
{
public:
    explicit CheckpointBuilder(const std::string& name = "weights.bin")
        : m_path(m_folder.path() / name)
    {
        m_checkpoint.path = m_path.string();
        m_checkpoint.format = "raw";
        m_checkpoint.files.push_back({m_path.string(), {}, 0});
    }

    /// Appends a storage after `gap` bytes that belong to none.
    std::uint32_t addStorage(
        const std::vector<float>& values, std::size_t gap = 0, bool bigEndian = false)
    {
        m_bytes.append(gap, '\x55');
        core::Storage storage;
        storage.member = "data/" + std::to_string(m_checkpoint.storages.size());
        storage.type = core::ElementType::Float32;
        storage.offset = m_bytes.size();
        storage.bytes = storage.storedBytes = storage.declaredBytes = values.size() * sizeof(float);
        storage.bigEndian = bigEndian;
        for (const float value : values) {
            char raw[sizeof(float)];
            std::memcpy(raw, &value, sizeof(float));
            if (bigEndian)
                std::reverse(std::begin(raw), std::end(raw));
            m_bytes.append(raw, sizeof(float));
        }
        m_checkpoint.storages.push_back(std::move(storage));
        return static_cast<std::uint32_t>(m_checkpoint.storages.size() - 1);
    }

    core::CheckpointTensor& addTensor(const std::string& name, std::vector<std::int64_t> shape,
        std::vector<core::TensorPiece> pieces)
    {
        core::CheckpointTensor tensor;
        tensor.name = name;
        tensor.path = {{core::PathPart::Kind::Text, name}};
        tensor.kind = core::TensorKind::Param;
        tensor.type = core::ElementType::Float32;
        tensor.shape = std::move(shape);
        tensor.pieces = std::move(pieces);
        m_checkpoint.tensors.push_back(std::move(tensor));
        return m_checkpoint.tensors.back();
    }

    /// A tensor that shows a storage from `offset` on, row-major.
    core::CheckpointTensor& addPlain(const std::string& name, std::uint32_t storage,
        std::vector<std::int64_t> shape, std::int64_t offset = 0)
    {
        return addTensor(name, shape, {{storage, offset, zeros(shape), shape, rowMajor(shape)}});
    }

    /// Writes the file; the answer can be scanned.
    core::Checkpoint write()
    {
        std::ofstream(m_path, std::ios::binary)
            .write(m_bytes.data(), static_cast<std::streamsize>(m_bytes.size()));
        m_checkpoint.files[0].bytes = m_bytes.size();
        return m_checkpoint;
    }

    [[nodiscard]] core::Checkpoint& checkpoint() noexcept { return m_checkpoint; }
    [[nodiscard]] const std::filesystem::path& path() const noexcept { return m_path; }
    [[nodiscard]] const std::string& bytes() const noexcept { return m_bytes; }

    [[nodiscard]] static std::vector<std::int64_t> rowMajor(const std::vector<std::int64_t>& shape)
    {
        std::vector<std::int64_t> strides(shape.size(), 1);
        for (std::size_t i = shape.size(); i-- > 1;)
            strides[i - 1] = strides[i] * shape[i];
        return strides;
    }
    [[nodiscard]] static std::vector<std::int64_t> zeros(const std::vector<std::int64_t>& shape)
    {
        return std::vector<std::int64_t>(shape.size(), 0);
    }

private:
    TempFolder m_folder;
    std::filesystem::path m_path;
    std::string m_bytes;
    core::Checkpoint m_checkpoint;
};

}  // namespace firstbad::test
