// SPDX-License-Identifier: GPL-3.0-or-later
// edited(): a sound file with the changes that a fuzzer's bytes ask for, so that mutations reach
// what lies behind the first check.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

namespace firstbad::test {

/// Every three bytes are a place (modulo the size) and what is written there; a place above 0xF000
/// cuts the file instead.
inline std::string edited(std::string bytes, const std::uint8_t* data, std::size_t size)
{
    for (std::size_t i = 0; i + 2 < size && !bytes.empty(); i += 3) {
        const std::size_t place = data[i] + 256U * data[i + 1];
        if (place >= 0xF000U)
            bytes.resize(bytes.size() - (place & 0xFFU) % bytes.size());
        else
            bytes[place % bytes.size()] = static_cast<char>(data[i + 2]);
    }
    return bytes;
}

}  // namespace firstbad::test
