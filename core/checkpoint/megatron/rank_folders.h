// SPDX-License-Identifier: GPL-3.0-or-later
// The rank folders of Megatron's legacy layout: mp_rank_TT[_PPP[_EEE]].
//
// Any thread; cost is that of the files in them.
#pragma once

#include "core/base/job_context.h"
#include "core/checkpoint/folder/checkpoint_folder.h"

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace firstbad::core {

struct MegatronRank {
    std::array<int, 3> place{};  ///< tensor, pipeline, expert
    std::size_t parts = 1;  ///< how many of them the name has
};

[[nodiscard]] std::optional<MegatronRank> parseRankFolder(std::string_view name);
[[nodiscard]] std::string rankFolderName(const MegatronRank& rank);

/// Adds the files of every rank; ranks and files that must exist and do not are damage.
[[nodiscard]] Result<void> addMegatronRanks(Checkpoint& checkpoint, const CheckpointFolder& folder,
    const std::vector<std::string>& entries, JobContext& job);

}  // namespace firstbad::core
