// SPDX-License-Identifier: GPL-3.0-or-later
// The file system side of a case: durable files, the writer's lock, which journal a disk can carry.
//
// Free functions and one move-only lock; any thread.
#pragma once

#include "core/base/result.h"

#include <filesystem>
#include <string>
#include <string_view>

namespace firstbad::core {

inline constexpr std::string_view kPartSuffix = ".part";

/// Makes what was created, renamed or removed in `folder` survive a loss of power.
[[nodiscard]] Result<void> syncFolder(const std::filesystem::path& folder);
[[nodiscard]] Result<void> syncFile(const std::filesystem::path& path);

/// Writes under a temporary name, syncs, renames, syncs the folder. On failure nothing is left.
[[nodiscard]] Result<void> writeDurably(const std::filesystem::path& path, std::string_view bytes);

/// True for file systems whose locks and shared memory WAL must not trust (statfs f_type).
[[nodiscard]] bool isNetworkFileSystem(unsigned long type) noexcept;
/// "wal", or "delete" on network disks.
[[nodiscard]] std::string journalFor(const std::filesystem::path& folder);

/// The one writer of a case. The lock goes with the process, however it ends; the file stays and
/// names the last holder.
class WriterLock
{
public:
    [[nodiscard]] static Result<WriterLock> take(const std::filesystem::path& folder);
    WriterLock(WriterLock&& other) noexcept;
    WriterLock& operator=(WriterLock&& other) noexcept;
    WriterLock(const WriterLock&) = delete;
    WriterLock& operator=(const WriterLock&) = delete;
    ~WriterLock();

private:
    explicit WriterLock(int descriptor)
        : m_descriptor(descriptor)
    { }

    int m_descriptor = -1;
};

}  // namespace firstbad::core
