// SPDX-License-Identifier: GPL-3.0-or-later
// Streams that undo gzip (several members) and zstd (several frames), also of files that are cut.
//
// Each owns its inner stream; one thread. Memory: one input block and the decompressor's window
// (zstd windows above 128 MiB are refused). What was decompressed before damage is still given.
#pragma once

#include "core/import/decode/byte_stream.h"

namespace firstbad::core {

[[nodiscard]] bool looksLikeGzip(std::string_view head) noexcept;
[[nodiscard]] bool looksLikeZstd(std::string_view head) noexcept;

[[nodiscard]] std::unique_ptr<ByteStream> gunzip(std::unique_ptr<ByteStream> packed);
[[nodiscard]] std::unique_ptr<ByteStream> unzstd(std::unique_ptr<ByteStream> packed);

}  // namespace firstbad::core
