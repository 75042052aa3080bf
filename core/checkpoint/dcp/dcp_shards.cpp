// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/checkpoint/dcp/dcp_shards.h"

#include "core/base/text.h"

#include <fmt/format.h>

namespace firstbad::core {

namespace {

std::string shown(std::string_view name)
{
    return escapedForTerminal(name.substr(0, 200));
}

}  // namespace

DcpShard& DcpShards::open(const std::string& name)
{
    const auto [at, isNew] = m_shards.try_emplace(name);
    DcpShard& shard = at->second;
    if (!isNew)
        return shard;
    shard.file = m_folder.find(name);
    if (shard.file.fault != FolderFault::None)
        return shard;
    auto source = ByteSource::ofWholeFile(shard.file.path);
    if (!source) {
        shard.file.fault = FolderFault::Missing;
        return shard;
    }
    shard.source = std::move(*source);
    shard.number = addFile(m_checkpoint, shard.file);
    constexpr std::uint64_t kHeadBytes = 4096;
    const auto head = shard.source->read(0, kHeadBytes);
    if (!head || head->starts_with("PK") || !looksLikeSafetensors(*head, shard.source->size()))
        return shard;
    auto header = readSafetensorsHeader(*shard.source, name);
    if (!header)
        return shard;
    for (CheckpointDamage& damage : header->damage) {
        damage.text = fmt::format("{}: {}", name, damage.text);
        m_checkpoint.damage.push_back(damage);
    }
    m_sawSafetensors = true;
    shard.safetensors = std::move(*header);
    return shard;
}

std::optional<ByteSource> DcpShards::locate(DcpShard& shard, const DcpItem& item)
{
    if (!shard.source) {
        shard.unread.push_back(item.fqn);
        return std::nullopt;
    }
    const std::uint64_t size = shard.source->size();
    const auto offset = static_cast<std::uint64_t>(item.offset);
    const auto length = static_cast<std::uint64_t>(item.length);
    if (offset >= size && length > 0) {
        shard.pastEnd.push_back(item.fqn);
        shard.endsAtItem = shard.endsAtItem || offset == size;
        return std::nullopt;
    }
    if (length > size - offset) {
        shard.cutItem = item.fqn;
        shard.cutBytes = size - offset;
        shard.cutLength = length;
    }
    return shard.source->part(offset, length);
}

void DcpShards::describeFaults()
{
    for (const auto& [name, shard] : m_shards) {
        if (shard.file.fault == FolderFault::NotPlain) {
            for (const std::string& fqn : shard.unread)
                m_checkpoint.damage.push_back({"path-traversal", fqn,
                    fmt::format("relative_path of {} ({}) is not a plain file name: refused",
                        shown(fqn), shown(name)),
                    true});
        } else if (shard.file.fault != FolderFault::None) {
            m_checkpoint.damage.push_back(describeFault(shard.file, shard.unread.size()));
        } else {
            describeShortFile(shard);
        }
    }
}

void DcpShards::describeShortFile(const DcpShard& shard)
{
    const std::string& name = shard.file.name;
    if (!shard.cutItem.empty()) {
        m_checkpoint.damage.push_back({"truncated", name,
            fmt::format("{}: file ends inside the item of {}, {} of {} bytes present; {} more "
                        "item(s) lie behind it",
                name, shown(shard.cutItem), shard.cutBytes, shard.cutLength, shard.pastEnd.size()),
            false});
        return;
    }
    if (shard.endsAtItem) {
        m_checkpoint.damage.push_back({"truncated", name,
            fmt::format("{}: file ends before the item of {}; {} item(s) are missing", name,
                shown(shard.pastEnd.front()), shard.pastEnd.size()),
            false});
        return;
    }
    for (const std::string& fqn : shard.pastEnd)
        m_checkpoint.damage.push_back({"item-past-end", fqn,
            fmt::format("the item of {} starts past the end of {}, which has {} bytes", shown(fqn),
                name, shard.source->size()),
            false});
}

}  // namespace firstbad::core
