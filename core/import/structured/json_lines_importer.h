// SPDX-License-Identifier: GPL-3.0-or-later
// Importer of JSON lines: one object a line, dirt between them included.
//
// Stateless; streams. Memory: see json_lines_reader.h.
#pragma once

#include "core/import/importer.h"

#include <string_view>

namespace firstbad::core {

[[nodiscard]] int sniffJsonLines(const SourceHead& head);
[[nodiscard]] Result<std::vector<SourceData>> readJsonLines(
    const SourceRef& source, const ImportOptions& options, JobContext& job);

}  // namespace firstbad::core
