// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/checkpoint/dcp/unnamed_items.h"

#include "core/checkpoint/dcp/zip_items.h"
#include "core/checkpoint/safetensors/safetensors_part.h"
#include "core/checkpoint/torch/torch_file.h"

#include <fmt/format.h>

namespace firstbad::core {

namespace {

Result<void> addItem(Checkpoint& checkpoint, const DcpShard& shard, const ZipItem& item,
    const std::vector<PathPart>& prefix, JobContext& job)
{
    TorchFileOptions options;
    options.file = shard.number;
    options.prefix = prefix;
    options.prefix.push_back({PathPart::Kind::Text, shard.file.name});
    options.prefix.push_back({PathPart::Kind::Text, fmt::format("@{}", item.offset)});
    options.shownPath = shard.file.shownPath;
    options.memberPrefix = fmt::format("{} at {}: ", shard.file.name, item.offset);
    auto read = readTorchZip(shard.source->part(item.offset, item.length), options, job);
    if (!read)
        return tl::unexpected(std::move(read.error()));
    appendPart(checkpoint, std::move(read->part));
    if (!item.complete)
        checkpoint.damage.push_back({"truncated", shard.file.name,
            fmt::format("{}: file ends inside the item at byte {}", shard.file.name, item.offset),
            false});
    return {};
}

}  // namespace

Result<void> addUnnamedItems(Checkpoint& checkpoint, DcpShards& shards,
    const std::vector<std::string>& entries, const std::vector<PathPart>& prefix, JobContext& job)
{
    for (const std::string& name : entries) {
        if (!name.ends_with(".distcp"))
            continue;
        const DcpShard& shard = shards.open(name);
        if (!shard.source)
            continue;
        if (shard.safetensors) {
            for (const SafetensorsEntry& entry : shard.safetensors->entries)
                addSafetensorsTensor(checkpoint, *shard.safetensors, entry, shard.number);
            continue;
        }
        const auto items = findZipItems(*shard.source, job);
        if (!items)
            return tl::unexpected(items.error());
        std::uint64_t end = 0;
        for (const ZipItem& item : *items) {
            if (auto added = addItem(checkpoint, shard, item, prefix, job); !added)
                return added;
            end = item.offset + item.length;
        }
        if (end < shard.source->size())
            checkpoint.damage.push_back({"truncated", name,
                fmt::format("{}: from byte {} on there are no more items, {} bytes are unread",
                    name, end, shard.source->size() - end),
                false});
    }
    return {};
}

}  // namespace firstbad::core
