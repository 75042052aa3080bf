// SPDX-License-Identifier: GPL-3.0-or-later
// Readers of Megatron-LM folders: one save (mp_rank_* folders, torch_dist or zarr) and the root of
// a run with its tracker file. Stateless; any thread.
#pragma once

#include "core/checkpoint/checkpoint_reader.h"

namespace firstbad::core {

[[nodiscard]] int sniffMegatronRoot(const CheckpointHead& head);
/// One save: it is that checkpoint. Several: a list of saves for the caller to open.
[[nodiscard]] Result<Checkpoint> openMegatronRoot(const CheckpointHead& head, JobContext& job);

[[nodiscard]] int sniffMegatronSave(const CheckpointHead& head);
[[nodiscard]] Result<Checkpoint> openMegatronSave(const CheckpointHead& head, JobContext& job);

}  // namespace firstbad::core
