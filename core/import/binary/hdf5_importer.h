// SPDX-License-Identifier: GPL-3.0-or-later
// Importer of tables of scalars in HDF5 files: 1-D datasets and compound tables become series.
//
// Stateless; any thread. The library runs in a child process; memory here is the columns.
#pragma once

#include "core/import/importer.h"

namespace firstbad::core {

[[nodiscard]] int sniffHdf5(const SourceHead& head);
[[nodiscard]] Result<std::vector<SourceData>> readHdf5(
    const SourceRef& source, const ImportOptions& options, JobContext& job);

}  // namespace firstbad::core
