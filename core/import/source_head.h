// SPDX-License-Identifier: GPL-3.0-or-later
// Reads the first bytes of a file for sniffing: decompressed (gzip, zstd) and, when it is text, as
// UTF-8.
//
// One open and one read of 64 KiB a file; any thread.
#pragma once

#include "core/base/result.h"
#include "core/import/importer.h"

#include <filesystem>
#include <string>

namespace firstbad::core {

/// Owns the bytes that a SourceHead looks at.
struct HeadBytes {
    std::filesystem::path path;
    std::uint64_t bytes = 0;  ///< size on disk
    std::string head;
    std::string text;

    [[nodiscard]] SourceHead view() const noexcept { return {path, false, bytes, head, text}; }
};

[[nodiscard]] Result<HeadBytes> readHead(const std::filesystem::path& path);

}  // namespace firstbad::core
