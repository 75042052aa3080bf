// SPDX-License-Identifier: GPL-3.0-or-later
// What the importers of this folder share in opening a source and closing its SourceData.
//
// Stateless.
#pragma once

#include "core/import/decode/text_source.h"
#include "core/import/importer.h"

#include <memory>
#include <string>
#include <vector>

namespace firstbad::core {

/// Fills in path, format (unless the reader chose one), size and encoding.
[[nodiscard]] std::vector<SourceData> finishSource(
    SourceData data, const SourceRef& source, std::string_view format, const TextSource& text);

}  // namespace firstbad::core
