// SPDX-License-Identifier: GPL-3.0-or-later
// Steps that every container of torch pickles shares once storages are placed: what is lost, and
// the scales of quantised tensors. Private to core/checkpoint/torch.
#pragma once

#include "core/checkpoint/byte_source.h"
#include "core/checkpoint/torch/tensor_collector.h"

namespace firstbad::core {

/// Names every tensor whose bytes are not all there in `lost` and `missing`.
void noteLostTensors(Checkpoint& part);

/// Reads the scales that lie in storages of `source`: a few numbers a tensor.
void readPendingScales(Checkpoint& part, const std::vector<TensorCollector::PendingScales>& pending,
    const ByteSource& source);

/// Reads one pickle at `offset`; it is read in growing pieces, for its length is unknown.
[[nodiscard]] Result<PickleDocument> unpickleAt(
    const ByteSource& source, std::uint64_t offset, JobContext& job);

}  // namespace firstbad::core
