// SPDX-License-Identifier: GPL-3.0-or-later
// ByteStream: the bytes of a source one after the other, as stored or after decompression.
//
// Owned by one reader on one thread. Memory: one block and the decompressor's window. A file that
// is cut or changes while it is read ends early and says so in damage().
#pragma once

#include "core/base/result.h"
#include "core/import/source.h"

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace firstbad::core {

class ByteStream
{
public:
    virtual ~ByteStream() = default;

    /// Fills the front of `buffer`; 0 at the end. Short reads are possible before it.
    [[nodiscard]] virtual Result<std::size_t> read(std::span<char> buffer) = 0;

    /// What kept the stream from its regular end, asked for after read() gave 0.
    [[nodiscard]] virtual std::optional<SkippedPart> damage() const { return std::nullopt; }
    /// "", "gzip", "zstd".
    [[nodiscard]] virtual std::string_view compression() const noexcept { return ""; }
    /// Size of the file as it lies on disk when it was opened.
    [[nodiscard]] virtual std::uint64_t bytesOnDisk() const noexcept = 0;
};

/// Opens `path` and undoes compression that its first bytes show, whatever its name says.
[[nodiscard]] Result<std::unique_ptr<ByteStream>> openBytes(const std::filesystem::path& path);

/// Wraps `bytes` in the decompressor that `head`, their beginning, asks for.
[[nodiscard]] std::unique_ptr<ByteStream> undoCompression(
    std::unique_ptr<ByteStream> bytes, std::string_view head);

/// Bytes in memory as they are, for tests and for what stands inside other files.
[[nodiscard]] std::unique_ptr<ByteStream> bytesFromMemory(std::string bytes);

}  // namespace firstbad::core
