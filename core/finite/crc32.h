// SPDX-License-Identifier: GPL-3.0-or-later
// crc32Of(): the checksum of zip records, at the speed of memory where the CPU multiplies without
// carry.
//
// Pure; any thread. zlib's own on other machines.
#pragma once

#include <cstdint>
#include <span>

namespace firstbad::core {

/// CRC-32 of `bytes` alone, as zlib's crc32(0, ...).
[[nodiscard]] std::uint32_t crc32Of(std::span<const char> bytes) noexcept;

}  // namespace firstbad::core
