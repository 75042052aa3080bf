// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/scan/tensor_report.h"

#include "core/base/file.h"
#include "core/finite/finite_scan.h"
#include "core/finite/float_format.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>

namespace firstbad::core {
namespace {

/// Where element `local` of a piece (row-major inside it) lies in its storage.
std::uint64_t positionOf(const TensorPiece& piece, std::uint64_t local)
{
    const auto index = unravelIndex(local, piece.sizes);
    auto position = static_cast<std::uint64_t>(piece.storageOffset);
    for (std::size_t i = 0; i < index.size(); ++i)
        position
            += static_cast<std::uint64_t>(index[i]) * static_cast<std::uint64_t>(piece.strides[i]);
    return position;
}

/// The same element's row-major index in the whole tensor.
std::uint64_t globalIndex(
    const CheckpointTensor& tensor, const TensorPiece& piece, std::uint64_t local)
{
    if (tensor.valuesOnly || piece.offsets.size() != tensor.shape.size()
        || piece.sizes.size() != tensor.shape.size())
        return local;
    auto index = unravelIndex(local, piece.sizes);
    for (std::size_t i = 0; i < index.size(); ++i)
        index[i] += piece.offsets[i];
    return flatIndex(index, tensor.shape);
}

class Reporter
{
public:
    Reporter(const Checkpoint& checkpoint, const std::vector<StoragePlan>& plans)
        : m_checkpoint(checkpoint)
        , m_plans(plans)
        , m_tensors(checkpoint.tensors.size())
        , m_files(checkpoint.files.size())
    { }

    std::vector<TensorScan> take()
    {
        for (std::size_t t = 0; t < m_tensors.size(); ++t)
            describe(m_checkpoint.tensors[t], m_tensors[t]);
        for (const StoragePlan& plan : m_plans) {
            for (const Channel& channel : plan.channels) {
                const SegmentSums sums(channel.segments);
                for (const PlannedView& view : channel.views)
                    addView(plan.storage, channel, view, sums);
            }
        }
        return std::move(m_tensors);
    }

private:
    void describe(const CheckpointTensor& tensor, TensorScan& scan) const
    {
        scan.scanned = floatFormat(tensor.type) != nullptr && !tensor.pieces.empty();
        const bool ownShape = !tensor.valuesOnly && tensor.object != "meta";
        if (ownShape)
            scan.elements = elementCount(tensor.shape).value_or(0);
        for (const TensorPiece& piece : tensor.pieces) {
            if (tensor.valuesOnly)
                scan.elements += elementCount(piece.sizes).value_or(0);
            if (piece.storage < m_checkpoint.storages.size()
                && m_checkpoint.storages[piece.storage].coding == StorageCoding::Missing)
                scan.scanned = false;
        }
    }

    /// Counts of one view; `firstBad` becomes the element's index inside its piece.
    static ValueStats statsOf(
        const Channel& channel, const PlannedView& view, const SegmentSums& sums)
    {
        if (view.geometry.form() == ViewGeometry::Form::Empty)
            return {};
        ValueStats stats = view.stats;
        if (!view.needsVisits()) {
            stats = sums.between(view.geometry.begin() * channel.valuesPerElement,
                view.geometry.end() * channel.valuesPerElement);
            if (view.geometry.form() == ViewGeometry::Form::Permuted)
                stats.firstBad = view.stats.firstBad;
            else if (stats.firstBad)
                stats.firstBad
                    = view.geometry.logicalOf(*stats.firstBad / channel.valuesPerElement);
        }
        stats.repeat(view.geometry.repeats());
        return stats;
    }

    void addView(std::uint32_t storage, const Channel& channel, const PlannedView& view,
        const SegmentSums& sums)
    {
        const CheckpointTensor& tensor = m_checkpoint.tensors[view.tensor];
        const TensorPiece& piece = tensor.pieces[view.piece];
        TensorScan& scan = m_tensors[view.tensor];
        ValueStats stats = statsOf(channel, view, sums);
        if (!stats.firstBad) {
            scan.stats.join(stats);
            return;
        }
        const std::uint64_t local = *stats.firstBad;
        const std::uint64_t position = positionOf(piece, local);
        const auto place = fileOffsetOf(storage, position, tensor.type);
        if (tensor.pieces.size() > 1)
            scan.shards.push_back({storage, piece.offsets, piece.sizes, stats,
                unravelIndex(local, piece.sizes), place});
        stats.firstBad = globalIndex(tensor, piece, local);
        const bool isFirst = !scan.stats.firstBad || *stats.firstBad < *scan.stats.firstBad;
        scan.stats.join(stats);
        if (!isFirst)
            return;
        scan.firstIndex = tensor.valuesOnly ? unravelIndex(local, piece.sizes)
                                            : unravelIndex(*stats.firstBad, tensor.shape);
        scan.file = m_checkpoint.storages[storage].file;
        scan.fileOffset = place;
        scan.firstBits = bitsAt(storage, position, tensor.type);
    }

    std::optional<std::uint64_t> fileOffsetOf(
        std::uint32_t storage, std::uint64_t position, ElementType type) const
    {
        const Storage& described = m_checkpoint.storages[storage];
        if (described.coding != StorageCoding::Raw || described.bigEndian)
            return std::nullopt;
        return described.offset + position * (elementTypeInfo(type).bits / 8U);
    }

    std::string bitsAt(std::uint32_t storage, std::uint64_t position, ElementType type)
    {
        const Storage& described = m_checkpoint.storages[storage];
        const std::size_t bytes = elementTypeInfo(type).bits / 8U;
        std::array<char, 16> raw{};
        const std::span<char> element(raw.data(), bytes);
        const std::uint64_t at = position * bytes;
        if (described.coding == StorageCoding::Inline
            && at + bytes <= described.inlineBytes.size()) {
            std::copy_n(described.inlineBytes.begin() + static_cast<std::ptrdiff_t>(at), bytes,
                element.begin());
        } else if (described.coding != StorageCoding::Raw
            || !readAt(described.file, described.offset + at, element)) {
            return {};
        }
        const unsigned valueBytes = floatFormat(type)->bytes;
        if (described.bigEndian)
            swapByteOrder(element, valueBytes);
        return hexOf(type, element);
    }

    bool readAt(std::uint32_t file, std::uint64_t offset, std::span<char> bytes)
    {
        if (file >= m_files.size())
            return false;
        if (!m_files[file]) {
            auto opened = InputFile::open(fileLocation(m_checkpoint.files[file]));
            if (!opened)
                return false;
            m_files[file].emplace(std::move(*opened));
        }
        const auto got = m_files[file]->readAt(offset, bytes);
        return got && *got == bytes.size();
    }

    static std::string hexOf(ElementType type, std::span<const char> element)
    {
        const FloatFormat& format = *floatFormat(type);
        std::string text;
        for (std::size_t at = 0; at < element.size(); at += format.bytes)
            text += fmt::format("{}{:0{}X}", text.empty() ? "" : "/",
                loadBits(format, element.data() + at), format.bytes * 2);
        return text;
    }

    const Checkpoint& m_checkpoint;
    const std::vector<StoragePlan>& m_plans;
    std::vector<TensorScan> m_tensors;
    std::vector<std::optional<InputFile>> m_files;
};

}  // namespace

std::vector<TensorScan> reportTensors(
    const Checkpoint& checkpoint, const std::vector<StoragePlan>& plans)
{
    return Reporter(checkpoint, plans).take();
}

std::vector<UnreferencedBytes> reportUnreferenced(
    const Checkpoint& checkpoint, const std::vector<StoragePlan>& plans)
{
    std::vector<UnreferencedBytes> all;
    for (const StoragePlan& plan : plans) {
        UnreferencedBytes slack{plan.storage, plan.slackBytes, {}};
        for (const Channel& channel : plan.channels) {
            for (const StorageSegment& segment : channel.segments) {
                if (segment.isSlack)
                    slack.stats.join(segment.stats);
            }
        }
        const bool worthTelling
            = slack.bytes > 0 && checkpoint.storages[plan.storage].coding != StorageCoding::Missing;
        if (worthTelling)
            all.push_back(std::move(slack));
    }
    return all;
}

}  // namespace firstbad::core
