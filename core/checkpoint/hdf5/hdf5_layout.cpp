// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/checkpoint/hdf5/hdf5_layout.h"

namespace firstbad::core {

std::string encodeDataset(const Hdf5Dataset& dataset)
{
    PartWriter out;
    out.text(dataset.path);
    out.number(static_cast<std::uint8_t>(dataset.type));
    out.number(static_cast<std::uint8_t>(dataset.bigEndian ? 1 : 0));
    out.number(static_cast<std::uint8_t>(dataset.place));
    out.list(dataset.shape);
    out.list(dataset.chunkShape);
    out.number(dataset.address);
    out.number(dataset.bytes);
    out.text(dataset.inlineBytes);
    return out.bytes();
}

std::optional<Hdf5Dataset> decodeDataset(std::string_view bytes)
{
    PartReader in(bytes);
    Hdf5Dataset dataset;
    dataset.path = in.text();
    const auto type = in.number<std::uint8_t>();
    dataset.bigEndian = in.number<std::uint8_t>() != 0;
    const auto place = in.number<std::uint8_t>();
    dataset.shape = in.list();
    dataset.chunkShape = in.list();
    dataset.address = in.number<std::uint64_t>();
    dataset.bytes = in.number<std::uint64_t>();
    dataset.inlineBytes = in.text();
    if (!in.ok() || type > static_cast<std::uint8_t>(ElementType::Packed)
        || place > static_cast<std::uint8_t>(Hdf5Place::Library))
        return std::nullopt;
    dataset.type = static_cast<ElementType>(type);
    dataset.place = static_cast<Hdf5Place>(place);
    return dataset;
}

std::string encodeChunks(const std::vector<Hdf5Chunk>& chunks)
{
    PartWriter out;
    for (const Hdf5Chunk& chunk : chunks) {
        out.list(chunk.offsets);
        out.number(chunk.address);
        out.number(chunk.storedBytes);
        out.number(static_cast<std::uint8_t>(chunk.deflated ? 1 : 0));
    }
    return out.bytes();
}

std::optional<std::vector<Hdf5Chunk>> decodeChunks(std::string_view bytes)
{
    PartReader in(bytes);
    std::vector<Hdf5Chunk> chunks;
    while (in.ok() && !in.atEnd()) {
        Hdf5Chunk chunk;
        chunk.offsets = in.list();
        chunk.address = in.number<std::uint64_t>();
        chunk.storedBytes = in.number<std::uint64_t>();
        chunk.deflated = in.number<std::uint8_t>() != 0;
        chunks.push_back(std::move(chunk));
    }
    return in.ok() ? std::optional(std::move(chunks)) : std::nullopt;
}

}  // namespace firstbad::core
