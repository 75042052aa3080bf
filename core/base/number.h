// SPDX-License-Identifier: GPL-3.0-or-later
// Reads the numbers that people's logs hold, NaN and infinities included.
//
// Pure functions over the caller's bytes; no allocation, no locale; any thread. Linear in the text.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace firstbad::core {

struct ParsedNumber {
    double value = 0.0;
    std::size_t length = 0;  ///< bytes consumed
    bool overflowed
        = false;  ///< finite text beyond double ("1e400"): value is the infinity of its sign
};

/// Reads the longest number at the start of `text`: decimal or exponent form, optional sign, nan,
/// -nan, -nan(ind), NaN, inf, Infinity, 1.#QNAN, 1.#INF in any case. nullopt when no number stands
/// there. "nano" and "info" are words, not numbers.
[[nodiscard]] std::optional<ParsedNumber> parseNumberPrefix(std::string_view text) noexcept;

/// Reads a text that is one number and nothing else but blanks around it.
[[nodiscard]] std::optional<ParsedNumber> parseNumber(std::string_view text) noexcept;

/// Like parseNumber, also accepts thousands commas ("1,638,400"), and a unit or K/M/G/T/B suffix
/// glued to the number ("9.46GiB", "45.6TFLOPS", "61.4K" = 61400). A suffix letter scales, a unit
/// is dropped.
[[nodiscard]] std::optional<ParsedNumber> parseLooseNumber(std::string_view text) noexcept;

/// Reads a whole signed integer text; nullopt on anything else or on overflow. "12.0" is accepted
/// as 12.
[[nodiscard]] std::optional<std::int64_t> parseInteger(std::string_view text) noexcept;

}  // namespace firstbad::core
