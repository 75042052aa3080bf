// SPDX-License-Identifier: GPL-3.0-or-later
// Importers of MLflow's two stores: the folder mlruns/ and the SQLite file mlflow.db.
//
// Stateless; any thread. Nothing is written beside the user's files: SQLite opens them immutable.
// Each run becomes its own source.
#pragma once

#include "core/import/importer.h"

namespace firstbad::core {

/// A store, an experiment or a single run of the file store.
[[nodiscard]] int sniffMlflowFiles(const SourceHead& head);
[[nodiscard]] Result<std::vector<SourceData>> readMlflowFiles(
    const SourceRef& source, const ImportOptions& options, JobContext& job);

/// Any SQLite database: one without MLflow's tables is answered as unsupported.
[[nodiscard]] int sniffMlflowSqlite(const SourceHead& head);
[[nodiscard]] Result<std::vector<SourceData>> readMlflowSqlite(
    const SourceRef& source, const ImportOptions& options, JobContext& job);

}  // namespace firstbad::core
