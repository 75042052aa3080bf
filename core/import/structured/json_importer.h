// SPDX-License-Identifier: GPL-3.0-or-later
// Importer of JSON documents: arrays of records, trainer_state.json, Megatron golden values, W&B
// and MLflow exports. Documents that are no logs are told so with a sentence.
//
// Stateless; memory: the text of the document (at most 256 MiB) and the columns.
#pragma once

#include "core/import/importer.h"

#include <string_view>

namespace firstbad::core {

[[nodiscard]] int sniffJson(const SourceHead& head);
[[nodiscard]] Result<std::vector<SourceData>> readJson(
    const SourceRef& source, const ImportOptions& options, JobContext& job);

/// Reads a document that is already in memory; `fileName` helps to name what is no log.
[[nodiscard]] SourceData readJsonText(
    std::string_view json, std::string_view fileName, const ImportOptions& options);

}  // namespace firstbad::core
