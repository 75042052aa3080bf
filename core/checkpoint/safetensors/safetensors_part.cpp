// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/checkpoint/safetensors/safetensors_part.h"

#include "core/base/number.h"
#include "core/checkpoint/folder/checkpoint_folder.h"
#include "core/checkpoint/folder/shape.h"
#include "core/checkpoint/kinds.h"

#include <algorithm>

namespace firstbad::core {

namespace {

constexpr std::size_t kMaxTexts = 4096;
constexpr std::size_t kMaxTextBytes = 4096;

}  // namespace

Storage storageOf(
    const SafetensorsHeader& header, const SafetensorsEntry& entry, std::uint32_t file)
{
    Storage storage;
    storage.member = entry.name;
    storage.file = file;
    storage.type = entry.type;
    storage.declaredBytes = entry.end - entry.begin;
    const std::uint64_t there = entry.begin < header.dataBytes ? header.dataBytes - entry.begin : 0;
    storage.bytes = std::min(storage.declaredBytes, there);
    storage.storedBytes = storage.bytes;
    storage.offset = header.dataOffset + entry.begin;
    if (storage.bytes == 0 && storage.declaredBytes != 0)
        storage.coding = StorageCoding::Missing;
    return storage;
}

void addSafetensorsTensor(Checkpoint& checkpoint, const SafetensorsHeader& header,
    SafetensorsEntry entry, std::uint32_t file)
{
    if (!entry.usable) {
        loseTensor(checkpoint, std::move(entry.name));
        return;
    }
    const auto number = static_cast<std::uint32_t>(checkpoint.storages.size());
    const Storage& storage = checkpoint.storages.emplace_back(storageOf(header, entry, file));
    if (storage.bytes < storage.declaredBytes)
        loseTensor(checkpoint, entry.name);
    CheckpointTensor& tensor = checkpoint.tensors.emplace_back();
    tensor.path.push_back({PathPart::Kind::Text, entry.name});
    tensor.name = std::move(entry.name);
    tensor.type = entry.type;
    tensor.shape = std::move(entry.shape);
    tensor.kind = kindOfPath(tensor.path, tensor.shape);
    tensor.pieces.push_back(wholePiece(number, tensor.shape));
}

void addSafetensorsMetadata(Checkpoint& checkpoint, const SafetensorsHeader& header)
{
    for (const auto& [key, value] : header.metadata) {
        if (checkpoint.texts.size() >= kMaxTexts)
            return;
        checkpoint.texts.push_back({"__metadata__." + key, value.substr(0, kMaxTextBytes)});
        if (key == "step" || key == "global_step" || key == "iteration")
            checkpoint.step = parseInteger(value);
        else if (key == "parent" || key == "checkpoint_parent")
            checkpoint.parent = value.substr(0, kMaxTextBytes);
    }
}

}  // namespace firstbad::core
