// SPDX-License-Identifier: GPL-3.0-or-later
// First bytes of the files of PyTorch. Pure; any thread.
#pragma once

#include <string_view>

namespace firstbad::core {

inline constexpr std::size_t kTorchHeadBytes = 512;

[[nodiscard]] constexpr bool isZipHead(std::string_view head)
{
    return head.starts_with("PK\x03\x04");
}

/// The magic number 0x1950a86a20f9469cfc6c, pickled by any protocol.
[[nodiscard]] constexpr bool isTorchLegacyHead(std::string_view head)
{
    constexpr std::string_view kMagic = "\x8a\x0a\x6c\xfc\x9c\x46\xf9\x20\x6a\xa8\x50\x19";
    return head.starts_with('\x80') && head.substr(0, 32).find(kMagic) != std::string_view::npos;
}

/// The tar of the first releases, 0.1.x.
[[nodiscard]] constexpr bool isTorchTarHead(std::string_view head)
{
    return head.size() >= 262 && head.substr(257, 5) == "ustar"
        && (head.starts_with("sys_info") || head.starts_with("pickle")
            || head.starts_with("storages") || head.starts_with("tensors")
            || head.starts_with("./sys_info"));
}

[[nodiscard]] constexpr bool isTorchPreviewHead(std::string_view head)
{
    return head.starts_with("PYTORCH1");
}

}  // namespace firstbad::core
