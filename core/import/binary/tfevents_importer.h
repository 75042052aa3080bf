// SPDX-License-Identifier: GPL-3.0-or-later
// Importer of TensorBoard event files: every scalar of every tag, never sampled, damage stepped
// over.
//
// Stateless; any thread. Reads in blocks of 1 MiB; memory is the columns and the longest record.
#pragma once

#include "core/import/importer.h"

namespace firstbad::core {

[[nodiscard]] int sniffTfevents(const SourceHead& head);
[[nodiscard]] Result<std::vector<SourceData>> readTfevents(
    const SourceRef& source, const ImportOptions& options, JobContext& job);

}  // namespace firstbad::core
