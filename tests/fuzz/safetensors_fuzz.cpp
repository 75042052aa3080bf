// SPDX-License-Identifier: GPL-3.0-or-later
// Fuzzes the safetensors header: any bytes give tensors in bounds or damage, never a crash.
#include "core/checkpoint/checkpoint.h"
#include "core/checkpoint/safetensors/header.h"
#include "core/checkpoint/safetensors/safetensors_part.h"

#include <cstdlib>
#include <memory>

using namespace firstbad::core;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    const auto source = ByteSource::ofMemory(
        std::make_shared<const std::string>(reinterpret_cast<const char*>(data), size));
    const auto header = readSafetensorsHeader(source, "fuzz");
    if (!header)
        return 0;
    Checkpoint checkpoint;
    for (const SafetensorsEntry& entry : header->entries)
        addSafetensorsTensor(checkpoint, *header, entry, 0);
    addSafetensorsMetadata(checkpoint, *header);
    for (const Storage& storage : checkpoint.storages) {
        const bool inside = storage.coding == StorageCoding::Missing
            || (storage.offset <= size && storage.bytes <= size - storage.offset);
        if (!inside || (storage.bytes < storage.declaredBytes && checkpoint.lost.empty()))
            std::abort();
    }
    return 0;
}
