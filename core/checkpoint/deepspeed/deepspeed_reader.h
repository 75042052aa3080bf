// SPDX-License-Identifier: GPL-3.0-or-later
// Readers of DeepSpeed folders: one save, and the root of a run with its file `latest`.
//
// Stateless; any thread.
#pragma once

#include "core/checkpoint/checkpoint_reader.h"

namespace firstbad::core {

[[nodiscard]] int sniffDeepSpeedRoot(const CheckpointHead& head);
/// One save: it is that checkpoint. Several: a list of saves for the caller to open.
[[nodiscard]] Result<Checkpoint> openDeepSpeedRoot(const CheckpointHead& head, JobContext& job);

[[nodiscard]] int sniffDeepSpeedSave(const CheckpointHead& head);
[[nodiscard]] Result<Checkpoint> openDeepSpeedSave(const CheckpointHead& head, JobContext& job);

}  // namespace firstbad::core
