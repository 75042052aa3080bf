// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/scan/storage_plan.h"

#include "core/finite/float_format.h"

#include <algorithm>
#include <utility>

namespace firstbad::core {
namespace {

constexpr std::size_t kMostRuns = 1U << 20U;  // beyond, holes between them are not accounted for

struct Interval {
    std::uint64_t begin = 0;
    std::uint64_t end = 0;
};

Channel& channelOf(StoragePlan& plan, ElementType type)
{
    const auto found = std::find_if(plan.channels.begin(), plan.channels.end(),
        [type](const Channel& channel) { return channel.type == type; });
    if (found != plan.channels.end())
        return *found;
    Channel channel;
    channel.type = type;
    channel.valueBytes = floatFormat(type)->bytes;
    channel.valuesPerElement = valuesPerElement(type);
    plan.channels.push_back(std::move(channel));
    return plan.channels.back();
}

/// Bytes that the views of integer types show: they are no slack either.
using Cover = std::vector<Interval>;

void addCover(Cover& cover, const ViewGeometry& view, std::uint64_t elementBits)
{
    const auto bytes = [&](std::uint64_t from, std::uint64_t to) {
        return Interval{from * elementBits / 8, (to * elementBits + 7) / 8};
    };
    const bool isInterval = view.form() != ViewGeometry::Form::Strided || view.isFolded();
    if (view.form() == ViewGeometry::Form::Empty)
        return;
    if (isInterval || cover.size() > kMostRuns) {
        cover.push_back(bytes(view.begin(), view.end()));
        return;
    }
    view.forEachRun(view.begin(), view.end(), [&](const ViewRun& run) {
        const Interval next = bytes(run.position, run.position + run.count);
        if (!cover.empty() && cover.back().end == next.begin)
            cover.back().end = next.end;
        else
            cover.push_back(next);
    });
}

/// What lies in [0, bytes) outside of `cover`.
Cover complementOf(Cover cover, std::uint64_t bytes)
{
    std::sort(cover.begin(), cover.end(),
        [](const Interval& a, const Interval& b) { return a.begin < b.begin; });
    Cover holes;
    std::uint64_t reached = 0;
    for (const Interval& part : cover) {
        if (part.begin > reached)
            holes.push_back({reached, std::min(part.begin, bytes)});
        reached = std::max(reached, part.end);
        if (reached >= bytes)
            break;
    }
    if (reached < bytes)
        holes.push_back({reached, bytes});
    return holes;
}

/// Cuts [first border, last border) at every border and keeps what an interval view covers.
void addSegments(Channel& channel, std::uint64_t storageBytes)
{
    const std::uint64_t values = storageBytes / channel.valueBytes;
    std::vector<Interval> shown;
    std::vector<std::uint64_t> borders;
    for (const PlannedView& view : channel.views) {
        if (view.needsVisits() || view.geometry.form() == ViewGeometry::Form::Empty)
            continue;
        const std::uint64_t begin = view.geometry.begin() * channel.valuesPerElement;
        const std::uint64_t end = std::min(view.geometry.end() * channel.valuesPerElement, values);
        if (begin >= end)
            continue;
        shown.push_back({begin, end});
        borders.insert(borders.end(), {begin, end});
    }
    std::sort(borders.begin(), borders.end());
    borders.erase(std::unique(borders.begin(), borders.end()), borders.end());
    std::sort(shown.begin(), shown.end(),
        [](const Interval& a, const Interval& b) { return a.begin < b.begin; });
    std::size_t next = 0;
    std::uint64_t covered = 0;
    for (std::size_t i = 0; i + 1 < borders.size(); ++i) {
        while (next < shown.size() && shown[next].begin <= borders[i])
            covered = std::max(covered, shown[next++].end);
        if (borders[i] < covered)
            channel.segments.push_back({borders[i], borders[i + 1], false, {}});
    }
}

void addSlack(StoragePlan& plan, const Storage& storage, const Cover& holes)
{
    for (const Interval& hole : holes)
        plan.slackBytes += hole.end - hole.begin;
    if (floatFormat(storage.type) == nullptr || holes.empty())
        return;
    Channel& channel = channelOf(plan, storage.type);
    for (const Interval& hole : holes) {
        const std::uint64_t begin = (hole.begin + channel.valueBytes - 1) / channel.valueBytes;
        const std::uint64_t end = hole.end / channel.valueBytes;
        if (begin < end)
            channel.segments.push_back({begin, end, true, {}});
    }
    std::sort(channel.segments.begin(), channel.segments.end(),
        [](const StorageSegment& a, const StorageSegment& b) { return a.begin < b.begin; });
}

}  // namespace

std::vector<StoragePlan> planStorages(const Checkpoint& checkpoint)
{
    std::vector<StoragePlan> plans(checkpoint.storages.size());
    std::vector<Cover> covers(plans.size());
    for (std::size_t t = 0; t < checkpoint.tensors.size(); ++t) {
        const CheckpointTensor& tensor = checkpoint.tensors[t];
        for (std::size_t p = 0; p < tensor.pieces.size(); ++p) {
            const TensorPiece& piece = tensor.pieces[p];
            auto geometry = ViewGeometry::of(piece);
            if (!geometry || piece.storage >= plans.size())
                continue;
            addCover(covers[piece.storage], *geometry, elementTypeInfo(tensor.type).bits);
            if (floatFormat(tensor.type) == nullptr)
                continue;
            channelOf(plans[piece.storage], tensor.type)
                .views.push_back({static_cast<std::uint32_t>(t), static_cast<std::uint32_t>(p),
                    std::move(*geometry), {}});
        }
    }
    for (std::size_t s = 0; s < plans.size(); ++s) {
        const Storage& storage = checkpoint.storages[s];
        plans[s].storage = static_cast<std::uint32_t>(s);
        for (Channel& channel : plans[s].channels)
            addSegments(channel, storage.bytes);
        if (storage.coding != StorageCoding::Missing)
            addSlack(plans[s], storage, complementOf(std::move(covers[s]), storage.bytes));
    }
    return plans;
}

SegmentSums::SegmentSums(const std::vector<StorageSegment>& segments)
    : m_segments(segments)
{
    while (m_leaves < segments.size())
        m_leaves *= 2;
    m_tree.resize(segments.size() > 1 ? 2 * m_leaves : 0);
    if (m_tree.empty())
        return;
    for (std::size_t i = 0; i < segments.size(); ++i) {
        if (!segments[i].isSlack)
            m_tree[m_leaves + i] = segments[i].stats;
    }
    for (std::size_t i = m_leaves; i-- > 1;) {
        m_tree[i] = m_tree[2 * i];
        m_tree[i].join(m_tree[2 * i + 1]);
    }
}

ValueStats SegmentSums::between(std::uint64_t begin, std::uint64_t end) const
{
    const auto from = std::lower_bound(m_segments.begin(), m_segments.end(), begin,
        [](const StorageSegment& segment, std::uint64_t place) { return segment.begin < place; });
    const auto to = std::lower_bound(m_segments.begin(), m_segments.end(), end,
        [](const StorageSegment& segment, std::uint64_t place) { return segment.begin < place; });
    ValueStats sum;
    if (m_tree.empty()) {
        if (from != to && !from->isSlack)
            sum = from->stats;
        return sum;
    }
    auto low = static_cast<std::size_t>(from - m_segments.begin()) + m_leaves;
    auto high = static_cast<std::size_t>(to - m_segments.begin()) + m_leaves;
    for (; low < high; low /= 2, high /= 2) {
        if ((low & 1U) != 0)
            sum.join(m_tree[low++]);
        if ((high & 1U) != 0)
            sum.join(m_tree[--high]);
    }
    return sum;
}

}  // namespace firstbad::core
