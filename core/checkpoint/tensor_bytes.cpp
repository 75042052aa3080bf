// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/text.h"
#include "core/checkpoint/geometry.h"
#include "core/checkpoint/storage_range.h"

#include <algorithm>
#include <cstring>
#include <fmt/format.h>

namespace firstbad::core {

namespace {

/// Bytes whose order is swapped as one: half of a complex number.
std::size_t swapBytes(ElementType type, std::size_t itemBytes)
{
    switch (type) {
    case ElementType::Complex32:
    case ElementType::BComplex32:
    case ElementType::Complex64:
    case ElementType::Complex128:
        return itemBytes / 2;
    default:
        return itemBytes;
    }
}

void swapOrder(std::span<char> bytes, std::size_t width)
{
    for (std::size_t at = 0; width > 1 && at + width <= bytes.size(); at += width)
        std::reverse(bytes.begin() + static_cast<std::ptrdiff_t>(at),
            bytes.begin() + static_cast<std::ptrdiff_t>(at + width));
}

/// Turns the signs of a lazily conjugated or negated view, whose type has its sign in the top bit.
void turnSigns(const CheckpointTensor& tensor, std::span<char> bytes, std::size_t itemBytes)
{
    const std::size_t width = swapBytes(tensor.type, itemBytes);
    const bool isComplex = width != itemBytes;
    for (std::size_t at = width; at <= bytes.size(); at += width) {
        const bool isImaginary = isComplex && (at / width) % 2 == 0;
        if (tensor.negative != (tensor.conjugate && isImaginary))
            bytes[at - 1] = static_cast<char>(static_cast<unsigned char>(bytes[at - 1]) ^ 0x80U);
    }
}

/// Copies one piece into the whole tensor, element by element in logical order.
class PieceCopy
{
public:
    PieceCopy(const TensorPiece& piece, const std::vector<std::int64_t>& shape,
        std::size_t itemBytes, std::span<char> target)
        : m_piece(piece)
        , m_targetStrides(denseStrides(shape))
        , m_itemBytes(itemBytes)
        , m_target(target)
    { }

    /// `bytes` are those of the storage from the piece's first element on.
    Result<void> run(const std::string& bytes, JobContext& job)
    {
        const std::uint64_t count = elementCount(m_piece.sizes).value_or(0);
        std::vector<std::int64_t> index(m_piece.sizes.size(), 0);
        constexpr std::uint64_t kElementsPerCheck = std::uint64_t{1} << 20U;
        for (std::uint64_t i = 0; i < count; ++i) {
            if (i % kElementsPerCheck == 0 && job.cancelled())
                return JobContext::cancelledError();
            const std::size_t from = placeOf(index, m_piece.strides, false) * m_itemBytes;
            const std::size_t to = placeOf(index, m_targetStrides, true) * m_itemBytes;
            std::memcpy(m_target.data() + to, bytes.data() + from, m_itemBytes);
            advance(index);
        }
        return {};
    }

private:
    [[nodiscard]] std::size_t placeOf(const std::vector<std::int64_t>& index,
        const std::vector<std::int64_t>& strides, bool inWhole) const
    {
        std::int64_t place = 0;
        for (std::size_t d = 0; d < index.size(); ++d)
            place += (index[d] + (inWhole ? m_piece.offsets[d] : 0)) * strides[d];
        return static_cast<std::size_t>(place);
    }

    void advance(std::vector<std::int64_t>& index) const
    {
        for (std::size_t d = index.size(); d-- > 0;) {
            if (++index[d] < m_piece.sizes[d])
                return;
            index[d] = 0;
        }
    }

    const TensorPiece& m_piece;
    std::vector<std::int64_t> m_targetStrides;
    std::size_t m_itemBytes;
    std::span<char> m_target;
};

bool liesInside(const TensorPiece& piece, const std::vector<std::int64_t>& shape)
{
    if (piece.sizes.size() != shape.size() || piece.offsets.size() != shape.size()
        || piece.strides.size() != shape.size())
        return false;
    for (std::size_t d = 0; d < shape.size(); ++d) {
        if (piece.offsets[d] < 0 || piece.sizes[d] < 0 || piece.offsets[d] > shape[d]
            || piece.sizes[d] > shape[d] - piece.offsets[d])
            return false;
    }
    return true;
}

tl::unexpected<Error> incomplete(const CheckpointTensor& tensor, const Checkpoint& checkpoint)
{
    return fail(ErrorCode::Malformed,
        fmt::format("the bytes of {} are not all in {}", tensor.name, checkpoint.path));
}

Result<void> copyPiece(const Checkpoint& checkpoint, const CheckpointTensor& tensor,
    const TensorPiece& piece, const std::vector<std::int64_t>& shape, std::uint64_t limitBytes,
    std::span<char> target, JobContext& job)
{
    const std::size_t itemBytes = (elementTypeInfo(tensor.type).bits + 7U) / 8U;
    const auto end = viewEnd(0, piece.sizes, piece.strides);
    if (!liesInside(piece, shape) || !end || piece.storage >= checkpoint.storages.size())
        return incomplete(tensor, checkpoint);
    if (*end == 0)
        return {};
    // A view of few elements can span a storage of any size.
    constexpr std::uint64_t kSpanFactor = 16;
    if (*end > kSpanFactor * limitBytes / itemBytes)
        return fail(ErrorCode::Unsupported,
            fmt::format("{} spans {} of its storage in {}, too much to read at once", tensor.name,
                humanBytes(*end * itemBytes), checkpoint.path));
    auto bytes = readStorageRange(checkpoint, piece.storage,
        static_cast<std::uint64_t>(piece.storageOffset) * itemBytes, *end * itemBytes);
    if (!bytes)
        return tl::unexpected(std::move(bytes.error()));
    if (bytes->size() < *end * itemBytes)
        return incomplete(tensor, checkpoint);
    if (checkpoint.storages[piece.storage].bigEndian)
        swapOrder(*bytes, swapBytes(tensor.type, itemBytes));
    return PieceCopy(piece, shape, itemBytes, target).run(*bytes, job);
}

}  // namespace

Result<std::vector<char>> readTensor(const Checkpoint& checkpoint, const CheckpointTensor& tensor,
    std::uint64_t limitBytes, JobContext& job)
{
    if (tensor.pieces.empty())
        return fail(
            ErrorCode::NotFound, fmt::format("{} has no data in {}", tensor.name, checkpoint.path));
    const std::vector<std::int64_t>& shape
        = tensor.valuesOnly ? tensor.pieces.front().sizes : tensor.shape;
    const auto count = elementCount(shape);
    const std::uint64_t itemBytes = (elementTypeInfo(tensor.type).bits + 7U) / 8U;
    if (!count || *count > limitBytes / itemBytes)
        return fail(ErrorCode::Unsupported,
            fmt::format("{} in {} is larger than the {} that are read at once", tensor.name,
                checkpoint.path, humanBytes(limitBytes)));
    std::vector<char> whole(static_cast<std::size_t>(*count * itemBytes), '\0');
    std::uint64_t covered = 0;
    for (const TensorPiece& piece : tensor.pieces) {
        auto copied = copyPiece(checkpoint, tensor, piece, shape, limitBytes, whole, job);
        if (!copied)
            return tl::unexpected(std::move(copied.error()));
        covered += elementCount(piece.sizes).value_or(0);
    }
    if (covered < *count)
        return incomplete(tensor, checkpoint);
    if ((tensor.conjugate || tensor.negative) && elementTypeInfo(tensor.type).canBeNonFinite)
        turnSigns(tensor, whole, itemBytes);
    return whole;
}

}  // namespace firstbad::core
