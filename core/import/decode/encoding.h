// SPDX-License-Identifier: GPL-3.0-or-later
// Which encoding a text is in, and a stream that turns it into UTF-8.
//
// Detection looks at the head only; conversion streams through iconv. One thread, O(block) memory.
#pragma once

#include "core/import/decode/byte_stream.h"

#include <string>
#include <string_view>

namespace firstbad::core {

struct Encoding {
    std::string name = "utf-8";  ///< as in SourceInfo: "utf-8", "utf-16le", "gb18030", ...
    std::size_t markBytes = 0;  ///< byte order mark to leave out
    bool isText = true;
};

/// By byte order mark, zero bytes, UTF-8 validity, then by statistics (uchardet).
[[nodiscard]] Encoding detectEncoding(std::string_view head);

/// `bytes` from `encoding` to UTF-8; bytes that are invalid in it become U+FFFD and are counted in
/// damage().
[[nodiscard]] Result<std::unique_ptr<ByteStream>> toUtf8(
    std::unique_ptr<ByteStream> bytes, const std::string& encoding);

/// `head` first, then what `rest` still gives: after the head of a stream was looked at.
[[nodiscard]] std::unique_ptr<ByteStream> withHead(
    std::string head, std::unique_ptr<ByteStream> rest);

}  // namespace firstbad::core
