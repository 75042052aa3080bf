// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/checkpoint/deepspeed/flat_slices.h"

#include "core/base/number.h"
#include "core/checkpoint/geometry.h"

#include <algorithm>
#include <map>
#include <span>

namespace firstbad::core {

namespace {

using Refs = std::span<const PickleRef>;

Refs itemsOf(const PickleArena& arena, PickleRef ref)
{
    return ref == kNoValue ? Refs() : arena.items(ref);
}

/// Ints of a torch.Size, a tuple or a list.
std::vector<std::int64_t> sizesOf(const PickleArena& arena, PickleRef ref)
{
    if (const PickleObject* object = ref == kNoValue ? nullptr : arena.object(ref)) {
        const Refs args = itemsOf(arena, object->args);
        return args.empty() ? std::vector<std::int64_t>() : sizesOf(arena, args[0]);
    }
    std::vector<std::int64_t> sizes;
    for (const PickleRef item : itemsOf(arena, ref)) {
        if (sizes.size() < kMaxDimensions)
            sizes.push_back(arena.integer(item).value_or(0));
    }
    return sizes;
}

std::int64_t integerAt(const PickleArena& arena, PickleRef ref, std::string_view key)
{
    const PickleRef value = arena.find(ref, key);
    return value == kNoValue ? 0 : arena.integer(value).value_or(0);
}

std::vector<FlatSlice> readMapping(const PickleArena& arena, PickleRef dict)
{
    std::vector<FlatSlice> slices;
    const Refs pairs = dict == kNoValue ? Refs() : arena.pairs(dict);
    for (std::size_t i = 0; i + 1 < pairs.size(); i += 2) {
        FlatSlice slice;
        slice.parameter = arena.text(pairs[i]);
        slice.start = integerAt(arena, pairs[i + 1], "start");
        slice.count = integerAt(arena, pairs[i + 1], "numel");
        if (slice.start >= 0 && slice.count > 0)
            slices.push_back(std::move(slice));
    }
    std::stable_sort(slices.begin(), slices.end(),
        [](const FlatSlice& a, const FlatSlice& b) { return a.start < b.start; });
    return slices;
}

std::int64_t elementsOf(const ZeroParameter& parameter)
{
    return static_cast<std::int64_t>(elementCount(parameter.shape).value_or(0));
}

/// Mapped slices of one parameter lie in the order of the data ranks.
void addOffsets(std::vector<ZeroShard*>& ranks, const ZeroGroups& groups)
{
    std::map<std::pair<std::size_t, std::string>, std::int64_t> done;
    std::map<std::string, const ZeroParameter*> parameters;
    for (const auto& group : groups) {
        for (const ZeroParameter& parameter : group)
            parameters.emplace(parameter.name, &parameter);
    }
    for (ZeroShard* shard : ranks) {
        for (std::size_t g = 0; g < shard->groups.size(); ++g) {
            for (FlatSlice& slice : shard->groups[g]) {
                std::int64_t& before = done[{g, slice.parameter}];
                slice.offset = before;
                before += slice.count;
                const auto known = parameters.find(slice.parameter);
                if (known != parameters.end())
                    slice.shape = known->second->shape;
            }
        }
    }
}

/// Stage 1 and 2 without a mapping: the vectors of all ranks, one behind the other, hold the
/// parameters one behind the other.
void cutJoined(std::vector<ZeroShard*>& ranks, const ZeroGroups& groups)
{
    for (std::size_t g = 0; g < groups.size(); ++g) {
        std::size_t p = 0;
        std::int64_t inside = 0;
        for (ZeroShard* shard : ranks) {
            shard->groups.resize(std::max(shard->groups.size(), g + 1));
            const std::int64_t length = g < shard->lengths.size() ? shard->lengths[g] : 0;
            for (std::int64_t at = 0; at < length && p < groups[g].size();) {
                const std::int64_t left = elementsOf(groups[g][p]) - inside;
                const std::int64_t count = std::min(left, length - at);
                if (count > 0)
                    shard->groups[g].push_back(
                        {groups[g][p].name, groups[g][p].shape, at, count, inside});
                at += count;
                inside += count;
                if (count == left) {
                    ++p;
                    inside = 0;
                }
            }
        }
    }
}

/// Stage 3: every parameter is split evenly over the ranks, the last part padded.
void cutEvenly(std::vector<ZeroShard*>& ranks, const ZeroGroups& groups)
{
    const auto world = static_cast<std::int64_t>(ranks.size());
    for (std::size_t r = 0; r < ranks.size(); ++r) {
        ranks[r]->groups.resize(groups.size());
        for (std::size_t g = 0; g < groups.size(); ++g) {
            std::int64_t at = 0;
            for (const ZeroParameter& parameter : groups[g]) {
                const std::int64_t whole = elementsOf(parameter);
                const std::int64_t part = whole / world + (whole % world != 0);
                const std::int64_t offset = part * static_cast<std::int64_t>(r);
                const std::int64_t count = std::min(part, whole - offset);
                if (count > 0)
                    ranks[r]->groups[g].push_back(
                        {parameter.name, parameter.shape, at, count, offset});
                at += part;
            }
        }
    }
}

}  // namespace

ZeroGroups readParamShapes(const PickleArena& arena, PickleRef root)
{
    ZeroGroups groups;
    if (root == kNoValue)
        return groups;
    for (const PickleRef dict : itemsOf(arena, arena.find(root, "param_shapes"))) {
        auto& group = groups.emplace_back();
        const Refs pairs = arena.pairs(dict);
        for (std::size_t i = 0; i + 1 < pairs.size(); i += 2)
            group.push_back({std::string(arena.text(pairs[i])), sizesOf(arena, pairs[i + 1])});
    }
    return groups;
}

ZeroShard readZeroShard(const PickleArena& arena, PickleRef root)
{
    ZeroShard shard;
    const PickleRef state = root == kNoValue ? kNoValue : arena.find(root, "optimizer_state_dict");
    if (state == kNoValue)
        return shard;
    shard.isStage3 = arena.find(state, "fp32_flat_groups") != kNoValue;
    shard.overflowed = integerAt(arena, state, "overflow") != 0;
    for (const PickleRef mapping : itemsOf(arena, arena.find(state, "param_slice_mappings")))
        shard.groups.push_back(readMapping(arena, mapping));
    shard.hasMapping = std::any_of(
        shard.groups.begin(), shard.groups.end(), [](const auto& group) { return !group.empty(); });
    return shard;
}

void completeSlices(std::vector<ZeroShard>& shards, const ZeroGroups& groups)
{
    std::map<int, std::vector<ZeroShard*>> byModelRank;
    for (ZeroShard& shard : shards)
        byModelRank[shard.modelRank].push_back(&shard);
    for (auto& [modelRank, ranks] : byModelRank) {
        std::sort(ranks.begin(), ranks.end(),
            [](const ZeroShard* a, const ZeroShard* b) { return a->dataRank < b->dataRank; });
        if (ranks.front()->hasMapping)
            addOffsets(ranks, groups);
        else if (ranks.front()->isStage3)
            cutEvenly(ranks, groups);
        else
            cutJoined(ranks, groups);
    }
}

std::optional<std::size_t> groupOfVector(const CheckpointTensor& tensor)
{
    if (tensor.shape.size() != 1 || tensor.path.size() < 2)
        return std::nullopt;
    for (std::size_t i = 0; i + 1 < tensor.path.size(); ++i) {
        const std::string& name = tensor.path[i].text;
        const bool isHolder = name == "single_partition_of_fp32_groups"
            || name == "fp32_flat_groups" || name == "state" || name == "base_optimizer_state"
            || name == "fp32_groups_flat";
        if (!isHolder || tensor.path[i + 1].kind != PathPart::Kind::Number)
            continue;
        const auto group = parseInteger(tensor.path[i + 1].text);
        if (group && *group >= 0)
            return static_cast<std::size_t>(*group);
    }
    return std::nullopt;
}

}  // namespace firstbad::core
