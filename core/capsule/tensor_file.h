// SPDX-License-Identifier: GPL-3.0-or-later
// TensorFile: the tensors of one safetensors file of a capsule, by name, and their bytes.
//
// Move-only; reading is const and may be done by several threads. Memory is in the number of
// tensors. Every range was checked against the file's size when it was opened.
#pragma once

#include "core/base/file.h"
#include "core/base/result.h"
#include "core/checkpoint/element_type.h"

#include <cstdint>
#include <filesystem>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace firstbad::core {

struct TensorEntry {
    std::string name;
    ElementType type = ElementType::Unknown;
    std::vector<std::int64_t> shape;
    std::uint64_t elements = 0;
    std::uint64_t offset = 0;  ///< of the first byte in the file
    std::uint64_t bytes = 0;
};

class TensorFile
{
public:
    /// Reads the header only. Malformed when it contradicts itself or the size of the file.
    [[nodiscard]] static Result<TensorFile> open(
        const std::filesystem::path& path, const std::string& shownPath);

    [[nodiscard]] const std::vector<TensorEntry>& tensors() const noexcept { return m_tensors; }
    /// nullptr when the file has no tensor of that name.
    [[nodiscard]] const TensorEntry* find(std::string_view name) const noexcept;

    /// Reads buffer.size() bytes of a tensor, `offset` bytes from its start.
    [[nodiscard]] Result<void> read(
        const TensorEntry& tensor, std::uint64_t offset, std::span<char> buffer) const;

    [[nodiscard]] const std::string& shownPath() const noexcept { return m_shownPath; }

private:
    TensorFile(InputFile file, std::string shownPath)
        : m_file(std::move(file))
        , m_shownPath(std::move(shownPath))
    { }

    InputFile m_file;
    std::string m_shownPath;
    std::vector<TensorEntry> m_tensors;
};

}  // namespace firstbad::core
