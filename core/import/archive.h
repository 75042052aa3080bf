// SPDX-License-Identifier: GPL-3.0-or-later
// Unpacks an archive of logs (zip, tar, tar.gz, tar.zst, 7z) into a private temporary folder for
// reading.
//
// The folder is removed when the object goes. Only regular files are unpacked, names never lead out
// of the folder, and the total is bounded (kMaxUnpackedBytes, kMaxUnpackedFiles). One thread;
// cancel per block.
#pragma once

#include "core/base/job_context.h"
#include "core/base/result.h"
#include "core/import/source.h"
#include "core/import/source_head.h"

#include <filesystem>
#include <vector>

namespace firstbad::core {

inline constexpr std::uint64_t kMaxUnpackedBytes = 64ULL << 30U;
inline constexpr std::size_t kMaxUnpackedFiles = 200'000;

/// True for an archive of files; a torch checkpoint, which is a zip too, is none.
[[nodiscard]] bool isArchive(const HeadBytes& head);

class UnpackedArchive
{
public:
    /// Fails when the archive cannot be opened at all or the disk is full. A damaged end is
    /// reported in skipped() and what came before is there.
    [[nodiscard]] static Result<UnpackedArchive> unpack(
        const std::filesystem::path& archive, JobContext& job);

    UnpackedArchive(UnpackedArchive&& other) noexcept;
    UnpackedArchive& operator=(UnpackedArchive&& other) noexcept;
    UnpackedArchive(const UnpackedArchive&) = delete;
    UnpackedArchive& operator=(const UnpackedArchive&) = delete;
    ~UnpackedArchive();

    [[nodiscard]] const std::filesystem::path& folder() const noexcept { return m_folder; }
    [[nodiscard]] const std::vector<SkippedPart>& skipped() const noexcept { return m_skipped; }

private:
    UnpackedArchive() = default;

    std::filesystem::path m_folder;
    std::vector<SkippedPart> m_skipped;
};

}  // namespace firstbad::core
