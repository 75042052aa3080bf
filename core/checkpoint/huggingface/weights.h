// SPDX-License-Identifier: GPL-3.0-or-later
// The model's weights in a Hugging Face folder: one file or shards, safetensors or torch.save,
// with an index or without.
//
// Any thread; reads headers and indexes only.
#pragma once

#include "core/base/job_context.h"
#include "core/checkpoint/folder/checkpoint_folder.h"

#include <string>
#include <vector>

namespace firstbad::core {

/// One model in a folder.
struct WeightFiles {
    std::string index;  ///< name of the index file; empty without one
    std::vector<std::string> files;  ///< shards by their names, or the one file
    bool isTorch = false;
};

/// What of a folder's plain names are weights; the model proper first. Empty when there is none.
[[nodiscard]] std::vector<WeightFiles> findWeights(const std::vector<std::string>& entries);

/// Adds the tensors of one model. `prefix` goes before the paths of a torch file's tensors.
[[nodiscard]] Result<void> addWeights(Checkpoint& checkpoint, const CheckpointFolder& folder,
    const WeightFiles& weights, const std::vector<PathPart>& prefix, JobContext& job);

/// True when a name reads STEM-00001-of-00003.EXT: a shard of a set of that size.
[[nodiscard]] bool isShardName(std::string_view name, std::string_view extension);

}  // namespace firstbad::core
