// SPDX-License-Identifier: GPL-3.0-or-later
// The .metadata pickle of torch.distributed.checkpoint: tensors, chunks, and where items lie.
//
// Plain values read from the pickle machine's arena; linear; any thread. Nothing here is believed
// yet: file names may lead anywhere, offsets may lie past the end.
#pragma once

#include "core/base/job_context.h"
#include "core/base/result.h"
#include "core/checkpoint/checkpoint.h"
#include "core/checkpoint/folder/shape.h"

#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

namespace firstbad::core {

struct DcpTensor {
    std::string fqn;
    std::string typeName;
    ElementType type = ElementType::Unknown;
    std::vector<std::int64_t> shape;
    std::vector<ChunkBox> chunks;
};

/// Where the bytes of one chunk, or of one value that is no tensor, lie.
struct DcpItem {
    std::string fqn;
    std::optional<std::vector<std::int64_t>> chunkOffsets;
    std::string file;
    std::int64_t offset = 0;
    std::int64_t length = 0;
    std::string transforms;  ///< names of the stream transforms its bytes went through
};

struct DcpMetadata {
    std::vector<DcpTensor> tensors;
    std::vector<std::string> values;  ///< fqn of everything that is no tensor
    std::vector<DcpItem> items;
    std::unordered_map<std::string, std::vector<PathPart>> paths;  ///< by fqn, where it says so
    std::vector<CheckpointDamage> damage;
};

/// Reads the pickle. Damage inside it is described; what was read before is kept. Error only when
/// cancelled.
[[nodiscard]] Result<DcpMetadata> parseDcpMetadata(
    std::string pickle, const std::string& fileName, JobContext& job);

}  // namespace firstbad::core
