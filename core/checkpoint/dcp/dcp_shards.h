// SPDX-License-Identifier: GPL-3.0-or-later
// The .distcp files of a distributed checkpoint, opened once each, and what could not be read of
// them.
//
// One thread; files are opened when first asked for.
#pragma once

#include "core/checkpoint/dcp/dcp_metadata.h"
#include "core/checkpoint/folder/checkpoint_folder.h"
#include "core/checkpoint/safetensors/header.h"

#include <map>
#include <optional>
#include <string>

namespace firstbad::core {

struct DcpShard {
    FolderFile file;
    std::uint32_t number = 0;  ///< in Checkpoint::files
    std::optional<ByteSource> source;  ///< empty when the file cannot be opened
    std::optional<SafetensorsHeader> safetensors;  ///< when that is what the file is
    std::vector<std::string> unread;  ///< names that needed it
    std::string cutItem;  ///< the item in which the file ends
    std::uint64_t cutBytes = 0;  ///< of that item that are there
    std::uint64_t cutLength = 0;
    std::vector<std::string> pastEnd;  ///< names of items that start past the end
    bool endsAtItem = false;  ///< the first of them starts exactly there
};

class DcpShards
{
public:
    DcpShards(Checkpoint& checkpoint, const CheckpointFolder& folder)
        : m_checkpoint(checkpoint)
        , m_folder(folder)
    { }

    /// The file an item names, opened; its fault says why it may not be or cannot be.
    [[nodiscard]] DcpShard& open(const std::string& name);

    /// Where an item lies in its file: all of it, a part when the file ends inside, or nothing.
    /// What is not there is noted in the shard.
    [[nodiscard]] std::optional<ByteSource> locate(DcpShard& shard, const DcpItem& item);

    /// Turns what was noted into damage, one sentence a file. At the end, once.
    void describeFaults();

    [[nodiscard]] bool sawSafetensors() const noexcept { return m_sawSafetensors; }

private:
    void describeShortFile(const DcpShard& shard);

    Checkpoint& m_checkpoint;
    const CheckpointFolder& m_folder;
    std::map<std::string, DcpShard> m_shards;
    bool m_sawSafetensors = false;
};

}  // namespace firstbad::core
