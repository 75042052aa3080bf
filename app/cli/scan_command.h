// SPDX-License-Identifier: GPL-3.0-or-later
// firstbad scan: finiteness of checkpoints, tensor by tensor.
#pragma once

#include "app/cli/command.h"

namespace firstbad::cli {

[[nodiscard]] std::unique_ptr<CommandRun> makeScanCommand();

inline constexpr Command kScanCommand{"scan", "PATH...", "Say what is not finite in checkpoints",
    "Reads checkpoints of any known format (PyTorch, safetensors, DCP, Megatron, DeepSpeed, "
    "Hugging "
    "Face, Lightning, NumPy, HDF5; files and folders, folders of several too) and counts NaN and "
    "infinities in every tensor, with the first index, at the speed of the disk. Nothing in a file "
    "is executed and no path in it is followed out of its folder.\n\nExit status 3 if a tensor is "
    "not finite; 4 if none is, but a file is damaged, refused or not readable here.",
    "firstbad scan checkpoint-500/  # one save\n"
    "firstbad scan run/ --json  # every save below a folder\n"
    "firstbad scan model.safetensors --all --json | jq '.result.files[0].all_tensors'",
    makeScanCommand};

}  // namespace firstbad::cli
