// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/import/binary/crc32c.h"

#include <array>
#include <bit>
#include <cstddef>
#include <cstring>

#if defined(__x86_64__)
#include <nmmintrin.h>
#endif

namespace firstbad::core {
namespace {

static_assert(std::endian::native == std::endian::little, "event files are little-endian");

using Table = std::array<std::array<std::uint32_t, 256>, 8>;

/// tables[k][b]: the CRC of byte b followed by k zero bytes, for eight bytes a round.
constexpr Table makeTables()
{
    constexpr std::uint32_t kPolynomial = 0x82F63B78U;
    Table tables{};
    for (std::uint32_t byte = 0; byte < 256; ++byte) {
        std::uint32_t crc = byte;
        for (int bit = 0; bit < 8; ++bit)
            crc = (crc >> 1U) ^ ((crc & 1U) != 0 ? kPolynomial : 0U);
        tables[0][byte] = crc;
    }
    for (std::size_t k = 1; k < tables.size(); ++k) {
        for (std::size_t byte = 0; byte < 256; ++byte) {
            const std::uint32_t before = tables[k - 1][byte];
            tables[k][byte] = (before >> 8U) ^ tables[0][before & 0xFFU];
        }
    }
    return tables;
}

constexpr Table kTables = makeTables();

#if defined(__x86_64__)
__attribute__((target("sse4.2"))) std::uint32_t crc32cHardware(std::string_view bytes) noexcept
{
    const char* at = bytes.data();
    std::size_t left = bytes.size();
    std::uint64_t crc = 0xFFFFFFFFU;
    for (; left >= 8; at += 8, left -= 8) {
        std::uint64_t word = 0;
        std::memcpy(&word, at, sizeof word);
        crc = _mm_crc32_u64(crc, word);
    }
    auto tail = static_cast<std::uint32_t>(crc);
    if (left >= 4) {
        std::uint32_t word = 0;
        std::memcpy(&word, at, sizeof word);
        tail = _mm_crc32_u32(tail, word);
        at += 4;
        left -= 4;
    }
    for (; left > 0; ++at, --left)
        tail = _mm_crc32_u8(tail, static_cast<unsigned char>(*at));
    return ~tail;
}
#endif

using CrcFunction = std::uint32_t (*)(std::string_view) noexcept;

CrcFunction chooseCrc() noexcept
{
#if defined(__x86_64__)
    if (__builtin_cpu_supports("sse4.2"))
        return crc32cHardware;
#endif
    return crc32cPortable;
}

}  // namespace

std::uint32_t crc32cPortable(std::string_view bytes) noexcept
{
    const char* at = bytes.data();
    std::size_t left = bytes.size();
    std::uint32_t crc = 0xFFFFFFFFU;
    for (; left >= 8; at += 8, left -= 8) {
        std::array<std::uint32_t, 2> words{};
        std::memcpy(words.data(), at, sizeof words);
        words[0] ^= crc;
        crc = kTables[7][words[0] & 0xFFU] ^ kTables[6][(words[0] >> 8U) & 0xFFU]
            ^ kTables[5][(words[0] >> 16U) & 0xFFU] ^ kTables[4][words[0] >> 24U]
            ^ kTables[3][words[1] & 0xFFU] ^ kTables[2][(words[1] >> 8U) & 0xFFU]
            ^ kTables[1][(words[1] >> 16U) & 0xFFU] ^ kTables[0][words[1] >> 24U];
    }
    for (; left > 0; ++at, --left)
        crc = (crc >> 8U) ^ kTables[0][(crc ^ static_cast<unsigned char>(*at)) & 0xFFU];
    return ~crc;
}

std::uint32_t crc32c(std::string_view bytes) noexcept
{
    static const CrcFunction kChosen = chooseCrc();
    return kChosen(bytes);
}

}  // namespace firstbad::core
