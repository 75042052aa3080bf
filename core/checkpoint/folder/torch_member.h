// SPDX-License-Identifier: GPL-3.0-or-later
// Puts one torch.save file of a folder into the checkpoint of the folder.
//
// Any thread; no tensor data is read. A file that is missing, empty, a link that leads out or no
// torch file at all becomes damage of the checkpoint.
#pragma once

#include "core/base/job_context.h"
#include "core/checkpoint/folder/checkpoint_folder.h"
#include "core/checkpoint/pickle/machine.h"

#include <optional>
#include <string_view>
#include <vector>

namespace firstbad::core {

/// What one file added to the checkpoint.
struct TorchMember {
    bool readable = false;
    PickleDocument document;  ///< when it was wanted
    std::size_t firstTensor = 0;
    std::size_t endTensor = 0;
    std::size_t firstScalar = 0;
    std::size_t endScalar = 0;
};

/// `prefix` goes before every path. Error only when cancelled.
[[nodiscard]] Result<TorchMember> addTorchMember(Checkpoint& checkpoint, const FolderFile& file,
    const std::vector<PathPart>& prefix, bool wantDocument, JobContext& job);

/// The name without its last extension, as one component of a path.
[[nodiscard]] PathPart stemPart(std::string_view fileName);

/// Value of the scalar of that name among those that a member added.
[[nodiscard]] std::optional<double> scalarOf(
    const Checkpoint& checkpoint, const TorchMember& member, std::string_view name);

}  // namespace firstbad::core
