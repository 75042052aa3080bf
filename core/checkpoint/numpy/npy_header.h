// SPDX-License-Identifier: GPL-3.0-or-later
// NpyHeader: what the header of a .npy says, read by a literal parser that evaluates nothing.
//
// Pure; any thread. Nothing is allocated by a number of the header.
#pragma once

#include "core/base/result.h"
#include "core/checkpoint/numpy/numpy_type.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace firstbad::core {

/// A field of a record type. A plain array has one without a name.
struct NpyField {
    std::string name;
    NumpyType type;
    std::vector<std::int64_t> shape;  ///< of the field in each record
    std::uint64_t offset = 0;  ///< in the record
};

struct NpyHeader {
    std::vector<NpyField> fields;
    std::uint64_t recordBytes = 0;  ///< of one item of the array
    bool fortran = false;
    std::vector<std::int64_t> shape;
    std::uint64_t dataOffset = 0;  ///< from the start of the .npy

    [[nodiscard]] bool isRecord() const { return fields.size() != 1 || !fields[0].name.empty(); }
};

inline constexpr std::size_t kMaxNpyHeaderBytes = std::size_t{1} << 20U;

[[nodiscard]] bool isNpyHead(std::string_view head);

/// Bytes from the start of the file to its data, by its first 12 bytes; 0 when they are no header.
[[nodiscard]] std::uint64_t npyDataOffset(std::string_view head);

/// Reads a whole header (npyDataOffset() bytes).
[[nodiscard]] Result<NpyHeader> parseNpyHeader(std::string_view header);

}  // namespace firstbad::core
