// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/scan/tensor_stream.h"

#include "core/scan/tensor_gather.h"
#include "core/scan/value_decoder.h"
#include "core/scan/view_geometry.h"

#include <algorithm>
#include <cstring>
#include <fmt/format.h>

namespace firstbad::core {
namespace {

constexpr std::uint64_t kMostGathered = std::uint64_t{16} << 20U;
constexpr std::size_t kBlockBytes = std::size_t{256} << 10U;

/// True when the piece holds whole rows: all sizes but the first are those of the tensor.
bool isSlab(const CheckpointTensor& tensor, const TensorPiece& piece)
{
    if (tensor.pieces.size() == 1)
        return true;
    return piece.sizes.size() == tensor.shape.size() && piece.offsets.size() == piece.sizes.size()
        && !piece.sizes.empty()
        && std::equal(piece.sizes.begin() + 1, piece.sizes.end(), tensor.shape.begin() + 1);
}

std::int64_t firstRow(const TensorPiece& piece)
{
    return piece.offsets.empty() ? 0 : piece.offsets.front();
}

}  // namespace

bool TensorStream::layOut(const Checkpoint& checkpoint, const CheckpointTensor& tensor)
{
    const std::uint64_t elementBytes = elementTypeInfo(tensor.type).bits / 8U;
    std::vector<const TensorPiece*> pieces;
    for (const TensorPiece& piece : tensor.pieces)
        pieces.push_back(&piece);
    std::stable_sort(pieces.begin(), pieces.end(),
        [](const TensorPiece* a, const TensorPiece* b) { return firstRow(*a) < firstRow(*b); });
    std::int64_t row = 0;
    for (const TensorPiece* piece : pieces) {
        const auto view = ViewGeometry::of(*piece);
        if (!view || view->form() != ViewGeometry::Form::Contiguous || view->repeats() != 1
            || !isSlab(tensor, *piece) || (pieces.size() > 1 && firstRow(*piece) != row))
            return false;
        const Storage& storage = checkpoint.storages[piece->storage];
        const std::uint64_t offset = view->begin() * elementBytes;
        const std::uint64_t bytes = (view->end() - view->begin()) * elementBytes;
        if (storage.coding != StorageCoding::Raw || storage.bigEndian
            || offset + bytes > storage.bytes)
            return false;
        m_extents.push_back({storage.file, storage.offset + offset, bytes, m_bytes});
        m_bytes += bytes;
        row += piece->sizes.empty() ? 1 : piece->sizes.front();
    }
    return !pieces.empty() && elementBytes > 0;
}

Result<void> TensorStream::openFiles(const Checkpoint& checkpoint)
{
    for (Extent& extent : m_extents) {
        const auto number = static_cast<std::uint32_t>(extent.file);
        const auto known = std::find(m_fileNumbers.begin(), m_fileNumbers.end(), number);
        extent.file = static_cast<std::size_t>(known - m_fileNumbers.begin());
        if (known != m_fileNumbers.end())
            continue;
        auto file = InputFile::open(fileLocation(checkpoint.files[number]));
        if (!file)
            return tl::unexpected(std::move(file.error()));
        m_files.push_back(std::move(*file));
        m_fileNumbers.push_back(number);
    }
    return {};
}

Result<TensorStream> TensorStream::open(
    const Checkpoint& checkpoint, const CheckpointTensor& tensor, JobContext& job)
{
    TensorStream stream;
    if (stream.layOut(checkpoint, tensor)) {
        if (auto opened = stream.openFiles(checkpoint); !opened)
            return tl::unexpected(std::move(opened.error()));
        return stream;
    }
    auto gathered = gatherTensor(checkpoint, tensor, kMostGathered, job);
    if (!gathered)
        return tl::unexpected(std::move(gathered.error()));
    stream.m_memory = std::move(*gathered);
    stream.m_inMemory = true;
    stream.m_bytes = stream.m_memory.size();
    return stream;
}

Result<std::size_t> TensorStream::read(std::span<char> buffer)
{
    std::size_t filled = 0;
    while (filled < buffer.size() && m_at < m_bytes) {
        const auto rest = buffer.subspan(filled);
        if (m_inMemory) {
            const auto most = std::min<std::size_t>(rest.size(), m_memory.size() - m_at);
            std::memcpy(rest.data(), m_memory.data() + m_at, most);
            filled += most;
            m_at += most;
            continue;
        }
        const auto extent = std::find_if(m_extents.begin(), m_extents.end(),
            [this](const Extent& one) { return m_at < one.begin + one.bytes; });
        const std::uint64_t inside = m_at - extent->begin;
        const auto most = static_cast<std::size_t>(
            std::min<std::uint64_t>(rest.size(), extent->bytes - inside));
        const auto got = m_files[extent->file].readAt(extent->offset + inside, rest.first(most));
        if (!got)
            return got;
        if (*got == 0)
            return fail(ErrorCode::Unreadable,
                fmt::format(
                    "{} became shorter while it was read.", m_files[extent->file].path().string()));
        filled += *got;
        m_at += *got;
    }
    return filled;
}

Result<void> visitValues(const Checkpoint& checkpoint, const CheckpointTensor& tensor,
    JobContext& job,
    const std::function<bool(std::uint64_t first, std::span<const double> values)>& visit)
{
    auto stream = TensorStream::open(checkpoint, tensor, job);
    if (!stream)
        return tl::unexpected(std::move(stream.error()));
    ValueDecoder decoder(tensor.type);
    std::vector<char> buffer(kBlockBytes);
    std::uint64_t first = 0;
    for (;;) {
        if (job.cancelled())
            return JobContext::cancelledError();
        const auto got = stream->read(buffer);
        if (!got)
            return tl::unexpected(got.error());
        const auto values = decoder.decode(std::span(buffer).first(*got));
        if (values.empty() || !visit(first, values))
            return {};
        first += values.size();
    }
}

Result<void> visitPairs(const Checkpoint& checkpoint, const CheckpointTensor& tensor,
    const Checkpoint& otherCheckpoint, const CheckpointTensor& other, JobContext& job,
    const std::function<bool(std::uint64_t first, std::span<const double> values,
        std::span<const double> others)>& visit)
{
    auto stream = TensorStream::open(checkpoint, tensor, job);
    if (!stream)
        return tl::unexpected(std::move(stream.error()));
    auto otherStream = TensorStream::open(otherCheckpoint, other, job);
    if (!otherStream)
        return tl::unexpected(std::move(otherStream.error()));
    ValueDecoder decoder(tensor.type);
    ValueDecoder otherDecoder(other.type);
    const std::size_t block = kBlockBytes / 8;
    std::vector<char> buffer(block * decoder.valueBytes());
    std::vector<char> otherBuffer(block * otherDecoder.valueBytes());
    for (std::uint64_t first = 0;; first += block) {
        if (job.cancelled())
            return JobContext::cancelledError();
        const auto got = stream->read(buffer);
        const auto otherGot = otherStream->read(otherBuffer);
        if (!got || !otherGot)
            return tl::unexpected(got ? otherGot.error() : got.error());
        const auto values = decoder.decode(std::span(buffer).first(*got));
        const auto others = otherDecoder.decode(std::span(otherBuffer).first(*otherGot));
        const std::size_t both = std::min(values.size(), others.size());
        if (both == 0 || !visit(first, values.first(both), others.first(both)))
            return {};
    }
}

Result<bool> holdSameBytes(const Checkpoint& checkpoint, const CheckpointTensor& tensor,
    const Checkpoint& otherCheckpoint, const CheckpointTensor& other, JobContext& job)
{
    auto stream = TensorStream::open(checkpoint, tensor, job);
    if (!stream)
        return tl::unexpected(std::move(stream.error()));
    auto otherStream = TensorStream::open(otherCheckpoint, other, job);
    if (!otherStream)
        return tl::unexpected(std::move(otherStream.error()));
    std::vector<char> buffer(kBlockBytes);
    std::vector<char> otherBuffer(kBlockBytes);
    for (;;) {
        if (job.cancelled())
            return JobContext::cancelledError();
        const auto got = stream->read(buffer);
        const auto otherGot = otherStream->read(otherBuffer);
        if (!got || !otherGot)
            return tl::unexpected(got ? otherGot.error() : got.error());
        if (*got != *otherGot
            || !std::equal(buffer.begin(), buffer.begin() + static_cast<std::ptrdiff_t>(*got),
                otherBuffer.begin()))
            return false;
        if (*got == 0)
            return true;
    }
}

}  // namespace firstbad::core
