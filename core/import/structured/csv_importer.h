// SPDX-License-Identifier: GPL-3.0-or-later
// Importer of tables with a delimiter: CSV, TSV, Lightning's metrics.csv, DeepSpeed's CSV monitor,
// W&B and TensorBoard downloads.
//
// Stateless; streams. Memory: 200 lines and the columns.
#pragma once

#include "core/import/importer.h"

namespace firstbad::core {

[[nodiscard]] int sniffCsv(const SourceHead& head);
[[nodiscard]] Result<std::vector<SourceData>> readCsv(
    const SourceRef& source, const ImportOptions& options, JobContext& job);

}  // namespace firstbad::core
