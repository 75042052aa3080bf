// SPDX-License-Identifier: GPL-3.0-or-later
#include "replay/weights/shards.h"

#include <cstring>
#include <fmt/format.h>

namespace firstbad::replay {

namespace {

std::size_t splitDimension(ShardRule rule)
{
    return rule == ShardRule::Columns ? 1 : 0;
}

/// Each rank holds its part of the gate, then its part of the other half.
at::Tensor mergeGated(const std::vector<at::Tensor>& parts)
{
    std::vector<at::Tensor> gates;
    std::vector<at::Tensor> others;
    for (const auto& part : parts) {
        const auto halves = part.chunk(2, 0);
        gates.push_back(halves[0]);
        others.push_back(halves[1]);
    }
    return at::cat({at::cat(gates, 0), at::cat(others, 0)}, 0);
}

/// Bits, not values: a NaN that all ranks share is no disagreement.
bool sameBits(const at::Tensor& a, const at::Tensor& b)
{
    return a.scalar_type() == b.scalar_type() && a.nbytes() == b.nbytes()
        && std::memcmp(a.const_data_ptr(), b.const_data_ptr(), a.nbytes()) == 0;
}

core::Result<at::Tensor> theOnlyOne(const ParamSpec& spec, const std::vector<at::Tensor>& parts)
{
    for (std::size_t rank = 1; rank < parts.size(); ++rank) {
        if (!sameBits(parts.front(), parts[rank]))
            return core::fail(core::ErrorCode::Malformed,
                fmt::format("The ranks disagree about {}: rank {} holds other values than rank 0.",
                    spec.name, rank),
                "firstbad scan compares the copies that ranks hold.");
    }
    return parts.front();
}

}  // namespace

std::vector<std::int64_t> shardShape(const ParamSpec& spec, std::size_t ranks)
{
    auto shape = spec.shape;
    if (ranks < 2 || spec.shard == ShardRule::Replicated)
        return shape;
    auto& size = shape.at(splitDimension(spec.shard));
    const auto parts = static_cast<std::int64_t>(ranks);
    const auto units = spec.shard == ShardRule::GatedRows ? 2 * parts : parts;
    size = size % units == 0 ? size / parts : 0;
    return shape;
}

core::Result<at::Tensor> mergeShards(const ParamSpec& spec, const std::vector<at::Tensor>& parts)
{
    if (parts.size() == 1)
        return parts.front();
    if (spec.shard == ShardRule::Replicated)
        return theOnlyOne(spec, parts);
    if (spec.shard == ShardRule::GatedRows)
        return mergeGated(parts);
    return at::cat(parts, static_cast<std::int64_t>(splitDimension(spec.shard)));
}

}  // namespace firstbad::replay
