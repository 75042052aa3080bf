// SPDX-License-Identifier: GPL-3.0-or-later
// readSafetensorsHeader(): the table at the front of a safetensors file, held against the rules of
// the format.
//
// Reads the header only (100 MB at most), linear in it; any thread. Broken rules are described, one
// damage each, and what can still be placed is kept: the official reader refuses such a file whole,
// an engineer after an incident wants to know which tensors survive.
#pragma once

#include "core/base/result.h"
#include "core/checkpoint/byte_source.h"
#include "core/checkpoint/checkpoint.h"

#include <string>
#include <utility>
#include <vector>

namespace firstbad::core {

inline constexpr std::uint64_t kMaxSafetensorsHeader = 100'000'000;

struct SafetensorsEntry {
    std::string name;
    std::string typeName;  ///< "F32"
    ElementType type = ElementType::Unknown;
    std::vector<std::int64_t> shape;
    std::uint64_t begin = 0;  ///< in the data buffer
    std::uint64_t end = 0;
    /// Its name is unique, and its type and shape give exactly its range: it can be decoded.
    bool usable = true;
};

struct SafetensorsHeader {
    std::uint64_t dataOffset = 0;  ///< of the data buffer in the source
    std::uint64_t dataBytes = 0;  ///< that are there
    std::vector<SafetensorsEntry> entries;  ///< in the order of the header
    std::vector<std::pair<std::string, std::string>> metadata;
    std::vector<CheckpointDamage> damage;
};

/// `shownName` names the file in sentences. Error only when the bytes cannot be read.
[[nodiscard]] Result<SafetensorsHeader> readSafetensorsHeader(
    const ByteSource& source, const std::string& shownName);

/// True when the first bytes look like a safetensors file of that size: a length, then "{".
[[nodiscard]] bool looksLikeSafetensors(std::string_view head, std::uint64_t fileBytes) noexcept;

}  // namespace firstbad::core
