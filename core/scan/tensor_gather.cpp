// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/scan/tensor_gather.h"

#include "core/checkpoint/checkpoint_reader.h"
#include "core/finite/finite_scan.h"
#include "core/finite/float_format.h"
#include "core/scan/view_geometry.h"

#include <algorithm>
#include <cstring>
#include <fmt/format.h>

namespace firstbad::core {
namespace {

tl::unexpected<Error> tooLarge(const CheckpointTensor& tensor)
{
    return fail(ErrorCode::Unsupported,
        fmt::format("{} is too large to be put together in memory.", tensor.name));
}

/// Decoded bytes of a storage, little-endian.
Result<std::vector<char>> readStorage(
    const Checkpoint& checkpoint, std::uint32_t number, unsigned valueBytes, JobContext& job)
{
    const Storage& storage = checkpoint.storages[number];
    auto stream = openStorage(checkpoint, number);
    if (!stream)
        return tl::unexpected(std::move(stream.error()));
    std::vector<char> bytes(static_cast<std::size_t>(storage.bytes));
    std::size_t filled = 0;
    while (filled < bytes.size()) {
        if (job.cancelled())
            return JobContext::cancelledError();
        const auto got = (*stream)->read(std::span(bytes).subspan(filled));
        if (!got)
            return tl::unexpected(got.error());
        if (*got == 0)
            break;
        filled += *got;
    }
    bytes.resize(filled);
    if (storage.bigEndian)
        swapByteOrder(bytes, valueBytes);
    return bytes;
}

/// Copies the elements of a piece to their places in `whole`.
void placePiece(const CheckpointTensor& tensor, const TensorPiece& piece,
    const std::vector<char>& storage, std::size_t elementBytes, std::vector<char>& whole)
{
    const bool isPart
        = piece.offsets.size() == tensor.shape.size() && piece.sizes.size() == tensor.shape.size();
    const std::uint64_t count = elementCount(piece.sizes).value_or(0);
    for (std::uint64_t local = 0; local < count; ++local) {
        auto index = unravelIndex(local, piece.sizes);
        auto from = static_cast<std::uint64_t>(piece.storageOffset);
        for (std::size_t i = 0; i < index.size(); ++i)
            from += static_cast<std::uint64_t>(index[i] * piece.strides[i]);
        for (std::size_t i = 0; isPart && i < index.size(); ++i)
            index[i] += piece.offsets[i];
        const std::uint64_t to = isPart ? flatIndex(index, tensor.shape) : local;
        if ((from + 1) * elementBytes <= storage.size() && (to + 1) * elementBytes <= whole.size())
            std::memcpy(whole.data() + to * elementBytes, storage.data() + from * elementBytes,
                elementBytes);
    }
}

}  // namespace

Result<std::vector<char>> gatherTensor(const Checkpoint& checkpoint, const CheckpointTensor& tensor,
    std::uint64_t limitBytes, JobContext& job)
{
    const std::size_t elementBytes = elementTypeInfo(tensor.type).bits / 8U;
    const auto& shape
        = tensor.valuesOnly && !tensor.pieces.empty() ? tensor.pieces[0].sizes : tensor.shape;
    const auto count = elementCount(shape);
    if (elementBytes == 0 || !count || *count > limitBytes / elementBytes)
        return tooLarge(tensor);
    std::vector<char> whole(static_cast<std::size_t>(*count) * elementBytes);
    const FloatFormat* format = floatFormat(tensor.type);
    const unsigned valueBytes
        = format != nullptr ? format->bytes : static_cast<unsigned>(elementBytes);
    for (const TensorPiece& piece : tensor.pieces) {
        if (piece.storage >= checkpoint.storages.size()
            || checkpoint.storages[piece.storage].bytes > limitBytes)
            return tooLarge(tensor);
        const auto bytes = readStorage(checkpoint, piece.storage, valueBytes, job);
        if (!bytes)
            return tl::unexpected(bytes.error());
        placePiece(tensor, piece, *bytes, elementBytes, whole);
    }
    return whole;
}

}  // namespace firstbad::core
