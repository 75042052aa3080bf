// SPDX-License-Identifier: GPL-3.0-or-later
// Decoders of the text lines of pickle protocols 0 and 1, and of latin-1 text. Pure; any thread.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace firstbad::core {

/// raw-unicode-escape: \uXXXX and \UXXXXXXXX, every other byte is a code point.
[[nodiscard]] std::string decodeRawUnicode(std::string_view line);

/// A quoted Python string literal with backslash escapes; nullopt when it is not quoted.
[[nodiscard]] std::optional<std::string> decodeQuoted(std::string_view line);

/// UTF-8 text whose code points are all below 256, as the bytes of those numbers.
[[nodiscard]] std::optional<std::string> latin1Bytes(std::string_view utf8);

/// UTF-8 of one code point; lone surrogates are written like any other.
void appendUtf8(std::string& text, std::uint32_t codePoint);

}  // namespace firstbad::core
