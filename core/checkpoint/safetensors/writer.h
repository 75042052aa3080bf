// SPDX-License-Identifier: GPL-3.0-or-later
// SafetensorsWriter: writes a safetensors file that the official library accepts.
//
// Names, types and shapes are told first, then the bytes of each tensor in that order, streamed:
// memory is in the number of tensors. One thread. The file appears under its name only when
// finish() succeeds (temporary file, fsync, rename).
#pragma once

#include "core/base/result.h"
#include "core/checkpoint/element_type.h"

#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace firstbad::core {

struct SafetensorsPlan {
    std::string name;
    ElementType type = ElementType::Float32;  ///< one that the format has a name for
    std::vector<std::int64_t> shape;
};

class SafetensorsWriter
{
public:
    /// Refuses repeated names, "__metadata__", types that the format lacks and headers over its
    /// limit. Tensors lie in the file in the order of `plan`.
    [[nodiscard]] static Result<SafetensorsWriter> create(const std::filesystem::path& path,
        std::span<const SafetensorsPlan> plan,
        std::span<const std::pair<std::string, std::string>> metadata = {});

    SafetensorsWriter(SafetensorsWriter&&) noexcept;
    SafetensorsWriter& operator=(SafetensorsWriter&&) noexcept;
    SafetensorsWriter(const SafetensorsWriter&) = delete;
    SafetensorsWriter& operator=(const SafetensorsWriter&) = delete;
    /// Removes the temporary file when finish() was not reached.
    ~SafetensorsWriter();

    /// The next bytes, little-endian, row-major; a tensor may come in parts and a call may span
    /// several. More than was planned is an Error.
    [[nodiscard]] Result<void> append(std::span<const char> bytes);
    /// Fails when fewer bytes came than were planned.
    [[nodiscard]] Result<void> finish();

private:
    struct State;
    explicit SafetensorsWriter(std::unique_ptr<State> state);
    std::unique_ptr<State> m_state;
};

}  // namespace firstbad::core
