// SPDX-License-Identifier: GPL-3.0-or-later
// Text importer: any training log that is text. Picks the dialect, runs it over the clean lines.
//
// Stateless entry of the importer table; any thread. Streams: memory is the columns and the line
// buffers of TextSource.
#pragma once

#include "core/import/importer.h"

namespace firstbad::core {

/// High when a framework's dialect knows lines of the head; low but not 0 for any other text.
[[nodiscard]] int sniffText(const SourceHead& head);

[[nodiscard]] Result<std::vector<SourceData>> readText(
    const SourceRef& source, const ImportOptions& options, JobContext& job);

}  // namespace firstbad::core
