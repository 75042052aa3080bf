// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/checkpoint/safetensors/safetensors_reader.h"

#include "core/base/text.h"
#include "core/checkpoint/safetensors/header.h"
#include "core/checkpoint/safetensors/safetensors_part.h"

namespace firstbad::core {

int sniffSafetensors(const CheckpointHead& head)
{
    const std::string name = head.path.filename().string();
    const bool named = toLowerAscii(name).ends_with(".safetensors");
    if (looksLikeSafetensors(head.head, head.bytes))
        return named ? 100 : 90;
    // A page or a pointer under that name is told apart by openCheckpoint().
    const bool isBinary
        = head.head.size() >= 8 && head.head.substr(0, 8).find('\0') != std::string::npos;
    return named && isBinary ? 40 : 0;
}

Result<Checkpoint> openSafetensors(const CheckpointHead& head, JobContext& job)
{
    const auto source = ByteSource::ofWholeFile(head.path);
    if (!source)
        return tl::unexpected(source.error());
    const std::string name = head.path.filename().string();
    auto header = readSafetensorsHeader(*source, name);
    if (!header)
        return tl::unexpected(std::move(header.error()));
    if (job.cancelled())
        return JobContext::cancelledError();
    Checkpoint checkpoint;
    checkpoint.path = head.shownPath;
    checkpoint.format = "safetensors";
    checkpoint.files.push_back({head.shownPath, head.path.string(), source->size()});
    checkpoint.tensors.reserve(header->entries.size());
    checkpoint.storages.reserve(header->entries.size());
    for (SafetensorsEntry& entry : header->entries)
        addSafetensorsTensor(checkpoint, *header, std::move(entry), 0);
    addSafetensorsMetadata(checkpoint, *header);
    checkpoint.damage = std::move(header->damage);
    if (!checkpoint.damage.empty())
        checkpoint.reason = checkpoint.damage.front().text;
    return checkpoint;
}

}  // namespace firstbad::core
