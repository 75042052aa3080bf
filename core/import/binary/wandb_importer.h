// SPDX-License-Identifier: GPL-3.0-or-later
// Importer of the .wandb file that a W&B run leaves behind, online or offline.
//
// Stateless; any thread. Memory is the columns and the longest record.
#pragma once

#include "core/import/importer.h"

namespace firstbad::core {

[[nodiscard]] int sniffWandb(const SourceHead& head);
[[nodiscard]] Result<std::vector<SourceData>> readWandb(
    const SourceRef& source, const ImportOptions& options, JobContext& job);

}  // namespace firstbad::core
