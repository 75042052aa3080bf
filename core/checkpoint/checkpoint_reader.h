// SPDX-License-Identifier: GPL-3.0-or-later
// CheckpointReader: one reader of one checkpoint format, and the table of all of them.
//
// Adding one: a file pair <name>_reader.{h,cpp} and one line in reader_table.cpp. scan, --format,
// the hostile-file suite and the fuzz target derive from the table. Stateless; any thread.
// Nothing in a file is executed; no path from inside a file is followed out of its folder; nothing
// is allocated by a number from a file before it is compared with the file's size.
#pragma once

#include "core/base/job_context.h"
#include "core/base/result.h"
#include "core/checkpoint/checkpoint.h"

#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <string_view>

namespace firstbad::core {

/// What sniffing may look at.
struct CheckpointHead {
    std::filesystem::path path;
    std::string shownPath;  ///< as the user would name it
    bool isFolder = false;
    std::uint64_t bytes = 0;
    std::string head;  ///< first 4 KiB of a file
    std::vector<std::string> entries;  ///< plain names in a folder, sorted, at most 100,000
};

struct CheckpointReader {
    std::string_view id;  ///< format slug
    std::string_view title;  ///< one line for help
    bool takesFolder = false;
    /// 0: not mine; 100: certain. The highest wins, earlier table lines win ties.
    int (*sniff)(const CheckpointHead& head) = nullptr;
    /// A file that is damaged, hostile or unsupported is still a Checkpoint, with `damage` or
    /// `supported` set; an Error means that it could not be opened at all.
    Result<Checkpoint> (*open)(const CheckpointHead& head, JobContext& job) = nullptr;
};

[[nodiscard]] std::span<const CheckpointReader> checkpointReaderTable() noexcept;

/// Looks at `path`, chooses a reader and opens it. Unknown files come back with the damage
/// `not-a-checkpoint`, `empty-file`, `html-page` or `lfs-pointer`.
[[nodiscard]] Result<Checkpoint> openCheckpoint(
    const std::filesystem::path& path, const std::string& shownPath, JobContext& job);

/// True when a reader of the table claims `path`; what `look` and `add` ask.
[[nodiscard]] bool isCheckpoint(const std::filesystem::path& path);

/// The decoded bytes of one storage, front to back. Owned by the caller, one thread at a time.
class StorageStream
{
public:
    virtual ~StorageStream() = default;
    /// Fills `buffer`; fewer bytes only at the end, 0 past it. Damage found on the way (a deflate
    /// stream that ends early) is an Error with the place.
    [[nodiscard]] virtual Result<std::size_t> read(std::span<char> buffer) = 0;
    /// After a failed read: the word of `scan` for it.
    [[nodiscard]] virtual std::string_view damageKind() const noexcept { return "truncated"; }
};

/// Opens storage number `index`. Raw storages are read in place with pread, never mapped.
[[nodiscard]] Result<std::unique_ptr<StorageStream>> openStorage(
    const Checkpoint& checkpoint, std::size_t index);

/// Reads one whole tensor in logical row-major order, little-endian, of its own type; strides and
/// pieces are resolved. Refused when it is larger than `limitBytes`. For replay and tensor windows.
[[nodiscard]] Result<std::vector<char>> readTensor(const Checkpoint& checkpoint,
    const CheckpointTensor& tensor, std::uint64_t limitBytes, JobContext& job);

}  // namespace firstbad::core
