// SPDX-License-Identifier: GPL-3.0-or-later
// StoragePlan: the views of one storage, and the segments between the places where views begin and
// end. Private to core/scan.
//
// A segment is counted once, whoever shows it; a view joins its segments. Memory: a segment a view
// border. Built on one thread; the counts are filled in by several, under the job's lock.
#pragma once

#include "core/finite/value_stats.h"
#include "core/scan/view_geometry.h"

#include <cstdint>
#include <vector>

namespace firstbad::core {

/// One piece of one tensor in this storage.
struct PlannedView {
    std::uint32_t tensor = 0;
    std::uint32_t piece = 0;
    ViewGeometry geometry;
    ValueStats stats;  ///< of Strided views, and the first index of Permuted ones; logical indices
    [[nodiscard]] bool needsVisits() const noexcept
    {
        return geometry.form() == ViewGeometry::Form::Strided && !geometry.isFolded();
    }
};

/// Values in [begin, end) of the storage, seen as values of the channel's type.
struct StorageSegment {
    std::uint64_t begin = 0;
    std::uint64_t end = 0;
    bool isSlack = false;  ///< no view shows it
    ValueStats stats;  ///< `firstBad` counts from the start of the storage
};

/// All views of one element type. A storage has one channel, unless views disagree about its type.
struct Channel {
    ElementType type = ElementType::Unknown;
    unsigned valueBytes = 1;
    unsigned valuesPerElement = 1;
    std::vector<PlannedView> views;
    std::vector<StorageSegment> segments;  ///< ascending, not overlapping
};

struct StoragePlan {
    std::uint32_t storage = 0;
    std::vector<Channel> channels;
    std::uint64_t slackBytes = 0;
    [[nodiscard]] bool needsBytes() const noexcept { return !channels.empty(); }
};

/// One plan a storage, in the order of the storages.
[[nodiscard]] std::vector<StoragePlan> planStorages(const Checkpoint& checkpoint);

/// Joins the counts of the segments that cover [begin, end) values of a channel.
class SegmentSums
{
public:
    explicit SegmentSums(const std::vector<StorageSegment>& segments);
    [[nodiscard]] ValueStats between(std::uint64_t begin, std::uint64_t end) const;

private:
    const std::vector<StorageSegment>& m_segments;
    std::vector<ValueStats> m_tree;  // leaves from m_leaves on; node i joins 2i and 2i+1
    std::size_t m_leaves = 1;
};

}  // namespace firstbad::core
