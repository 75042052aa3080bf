// SPDX-License-Identifier: GPL-3.0-or-later
// Sources as a table: format, records, what was skipped, hash. Pure, any thread.
#pragma once

#include "core/import/source.h"
#include "core/present/text/text_style.h"

#include <vector>

namespace firstbad::core {

/// `verbose` adds the whole hash and every skipped part with its reason.
[[nodiscard]] StyledText sourcesText(
    const std::vector<SourceInfo>& sources, const TextStyle& style, bool verbose);

}  // namespace firstbad::core
