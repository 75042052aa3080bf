// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/checkpoint/torch/torch_place.h"

#include "core/checkpoint/inflater.h"
#include "core/checkpoint/little_endian.h"

#include <algorithm>
#include <bit>

namespace firstbad::core {

namespace {

constexpr std::uint64_t kMaxScaleBytes = std::uint64_t{8} << 20U;

std::string storageBytes(const Storage& storage, const ByteSource& source)
{
    if (storage.bytes > kMaxScaleBytes)
        return {};
    if (storage.coding == StorageCoding::Inline)
        return {storage.inlineBytes.begin(), storage.inlineBytes.end()};
    // Storages know their place in the file, the source its own.
    const ByteSource stored = source.part(storage.offset - source.origin(), storage.storedBytes);
    if (storage.coding == StorageCoding::Raw)
        return stored.read(0, storage.bytes).value_or(std::string());
    if (storage.coding != StorageCoding::Deflate)
        return {};
    Inflater inflater(stored, DeflateWrapper::None);
    std::string bytes(static_cast<std::size_t>(storage.bytes), '\0');
    const auto got = inflater.read(std::span(bytes));
    bytes.resize(got.value_or(0));
    return bytes;
}

void readScales(CheckpointTensor& tensor, const CheckpointTensor& scales, const Checkpoint& part,
    const ByteSource& source)
{
    const bool isDouble = scales.type == ElementType::Float64;
    if ((!isDouble && scales.type != ElementType::Float32) || scales.pieces.empty()
        || scales.pieces[0].sizes.size() != 1)
        return;
    const TensorPiece& piece = scales.pieces[0];
    const Storage& storage = part.storages[piece.storage];
    const std::string bytes = storage.bigEndian ? std::string() : storageBytes(storage, source);
    const std::size_t itemBytes = isDouble ? 8 : 4;
    for (std::int64_t i = 0; i < piece.sizes[0]; ++i) {
        const auto at
            = static_cast<std::size_t>(piece.storageOffset + i * piece.strides[0]) * itemBytes;
        if (at + itemBytes > bytes.size())
            return;
        tensor.scales.push_back(isDouble
                ? std::bit_cast<double>(littleEndian<std::uint64_t>(bytes, at))
                : static_cast<double>(
                    std::bit_cast<float>(littleEndian<std::uint32_t>(bytes, at))));
    }
}

}  // namespace

void noteLostTensors(Checkpoint& part)
{
    for (const CheckpointTensor& tensor : part.tensors) {
        for (const TensorPiece& piece : tensor.pieces) {
            const Storage& storage = part.storages[piece.storage];
            const auto end = viewEnd(piece.storageOffset, piece.sizes, piece.strides).value_or(0);
            if (end * torchElementBytes(tensor.type) <= storage.bytes)
                continue;
            part.lost.push_back(tensor.name);
            break;
        }
    }
    part.missing = part.lost;
}

void readPendingScales(Checkpoint& part, const std::vector<TensorCollector::PendingScales>& pending,
    const ByteSource& source)
{
    constexpr std::size_t kMaxScales = 1'000'000;
    std::size_t total = 0;
    for (const TensorCollector::PendingScales& scales : pending) {
        CheckpointTensor& tensor = part.tensors[scales.tensor];
        // An expanded view can name any number of scales.
        if (!scales.scales.shape.empty()
            && scales.scales.shape[0] > static_cast<std::int64_t>(kMaxScales - total))
            return;
        readScales(tensor, scales.scales, part, source);
        total += tensor.scales.size();
    }
}

Result<PickleDocument> unpickleAt(const ByteSource& source, std::uint64_t offset, JobContext& job)
{
    constexpr std::uint64_t kMost = std::uint64_t{1} << 30U;
    for (std::uint64_t window = std::uint64_t{1} << 20U;; window *= 8) {
        auto bytes = source.read(offset, std::min(window, kMost));
        if (!bytes)
            return tl::unexpected(std::move(bytes.error()));
        const bool isAll = window >= kMost || offset + bytes->size() >= source.size();
        auto document = unpickle(std::move(*bytes), job);
        const bool ranOut = document && document->problem
            && (document->problem->error == "truncated"
                || document->problem->error == "length-past-end");
        if (isAll || !ranOut)
            return document;
    }
}

}  // namespace firstbad::core
