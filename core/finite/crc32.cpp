// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/finite/crc32.h"

#include <zlib.h>

#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace firstbad::core {
namespace {

std::uint32_t crcByZlib(std::uint32_t start, std::span<const char> bytes) noexcept
{
    return static_cast<std::uint32_t>(
        crc32_z(start, reinterpret_cast<const unsigned char*>(bytes.data()), bytes.size()));
}

#if defined(__x86_64__)

constexpr std::size_t kLane = 16;
constexpr std::size_t kFold = 4 * kLane;

// Constants: powers of x modulo the CRC-32 polynomial, bits reflected (Gopal et al., "Fast CRC
// Computation for Generic Polynomials Using PCLMULQDQ", 2009).
[[gnu::target("pclmul,sse4.1")]] inline __m128i load(const char* at) noexcept
{
    return _mm_loadu_si128(reinterpret_cast<const __m128i*>(at));
}

[[gnu::target("pclmul,sse4.1")]] inline __m128i fold(
    __m128i value, __m128i by, __m128i next) noexcept
{
    const __m128i low = _mm_clmulepi64_si128(value, by, 0x00);
    const __m128i high = _mm_clmulepi64_si128(value, by, 0x11);
    return _mm_xor_si128(_mm_xor_si128(high, low), next);
}

/// 128 bits to the checksum: two folds, then Barrett's reduction.
[[gnu::target("pclmul,sse4.1")]] inline std::uint32_t reduce(__m128i x, __m128i by) noexcept
{
    const __m128i mask = _mm_setr_epi32(-1, 0, -1, 0);
    x = _mm_xor_si128(_mm_srli_si128(x, 8), _mm_clmulepi64_si128(x, by, 0x10));
    const __m128i last = _mm_set_epi64x(0, 0x0163cd6124);
    x = _mm_xor_si128(
        _mm_clmulepi64_si128(_mm_and_si128(x, mask), last, 0x00), _mm_srli_si128(x, 4));
    const __m128i poly = _mm_set_epi64x(0x01f7011641, 0x01db710641);
    __m128i quotient = _mm_clmulepi64_si128(_mm_and_si128(x, mask), poly, 0x10);
    quotient = _mm_clmulepi64_si128(_mm_and_si128(quotient, mask), poly, 0x00);
    return static_cast<std::uint32_t>(_mm_extract_epi32(_mm_xor_si128(x, quotient), 1));
}

/// `bytes` is a multiple of 16 and at least 64 long.
[[gnu::target("pclmul,sse4.1")]] std::uint32_t crcByFolding(std::span<const char> bytes) noexcept
{
    const char* at = bytes.data();
    std::size_t left = bytes.size() - kFold;
    __m128i x1 = _mm_xor_si128(load(at), _mm_cvtsi32_si128(-1));
    __m128i x2 = load(at + kLane);
    __m128i x3 = load(at + 2 * kLane);
    __m128i x4 = load(at + 3 * kLane);
    const __m128i byFour = _mm_set_epi64x(0x01c6e41596, 0x0154442bd4);
    for (at += kFold; left >= kFold; at += kFold, left -= kFold) {
        x1 = fold(x1, byFour, load(at));
        x2 = fold(x2, byFour, load(at + kLane));
        x3 = fold(x3, byFour, load(at + 2 * kLane));
        x4 = fold(x4, byFour, load(at + 3 * kLane));
    }
    const __m128i byOne = _mm_set_epi64x(0x00ccaa009e, 0x01751997d0);
    x1 = fold(x1, byOne, x2);
    x1 = fold(x1, byOne, x3);
    x1 = fold(x1, byOne, x4);
    for (; left >= kLane; at += kLane, left -= kLane)
        x1 = fold(x1, byOne, load(at));
    return ~reduce(x1, byOne);
}

#endif

}  // namespace

std::uint32_t crc32Of(std::span<const char> bytes) noexcept
{
#if defined(__x86_64__)
    if (bytes.size() >= kFold && __builtin_cpu_supports("pclmul") != 0
        && __builtin_cpu_supports("sse4.1") != 0) {
        const std::size_t whole = bytes.size() / kLane * kLane;
        return crcByZlib(crcByFolding(bytes.first(whole)), bytes.subspan(whole));
    }
#endif
    return crcByZlib(0, bytes);
}

}  // namespace firstbad::core
