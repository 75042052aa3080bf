// SPDX-License-Identifier: GPL-3.0-or-later
// Little-endian integers in bytes. Pure; any thread. The caller has checked that the bytes exist.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace firstbad::core {

template <class T> [[nodiscard]] constexpr T littleEndian(std::string_view bytes, std::size_t at)
{
    std::uint64_t value = 0;
    for (std::size_t i = 0; i < sizeof(T); ++i)
        value |= static_cast<std::uint64_t>(static_cast<unsigned char>(bytes[at + i])) << (8 * i);
    return static_cast<T>(value);
}

}  // namespace firstbad::core
