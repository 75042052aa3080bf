// SPDX-License-Identifier: GPL-3.0-or-later
// firstbad checkpoint list|status|annotate|lineage|pick|gate: which save may be restored.
#pragma once

#include "app/cli/command.h"

namespace firstbad::cli {

[[nodiscard]] std::unique_ptr<CommandRun> makeCheckpointCommand();

inline constexpr Command kCheckpointCommand{"checkpoint",
    "list|pick|gate|lineage|status|annotate [PATH...]", "Say which save may be restored",
    "Every save is committed (complete, finite, outside the margin of every incident), suspect "
    "(finite, but with a warning, inside a margin, or not readable here) or quarantined (not "
    "finite, damaged, or a person said so). With paths: scans them and reads logs, ledgers and "
    "trackers beside them. Without a path: works on the case, keeps each change of a status as a "
    "row that is never overwritten, and knows what people said.\n"
    "list: every save, newest first. pick: the newest committed one, and why newer ones are not. "
    "gate PATH: may this one be restored? lineage: which save came from which, and what rotation "
    "will delete. status PATH: its history. annotate PATH: --note TEXT, or --status STATUS "
    "--because TEXT; a quarantined file is released only with --override and stays marked.\n"
    "pick and gate exit with 0, or 5 when nothing may be restored; list follows the worst file.\n\n"
    "In a launch script (torchrun or Slurm), on one node before the job starts:\n"
    "  CKPT=$(firstbad checkpoint pick -q $RUN_DIR | tail -n 1) || exit 5\n"
    "  firstbad checkpoint gate -q \"$CKPT\" || exit 5\n"
    "  srun torchrun --nnodes=$SLURM_NNODES train.py --load \"$CKPT\"\n"
    "With a scheduler that restarts jobs by itself, put the gate into the script and not into the "
    "trainer: a job that stops with 5 needs a person, not another try.",
    "firstbad checkpoint pick run/  # the newest save that may be restored\n"
    "firstbad checkpoint gate run/checkpoint-500 && sbatch train.sh\n"
    "firstbad -C case checkpoint list  # with what people said\n"
    "firstbad -C case checkpoint annotate run/checkpoint-500 --status quarantined --because 'bad "
    "data'",
    makeCheckpointCommand};

}  // namespace firstbad::cli
