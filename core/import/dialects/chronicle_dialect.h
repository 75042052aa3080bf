// SPDX-License-Identifier: GPL-3.0-or-later
// Chronicles: what engineers write about a training day by day, with its log lines quoted in it.
//
// Stateless entries; their readers belong to one source and thread.
#pragma once

#include "core/import/text/line_dialect.h"

namespace firstbad::core {

/// For a chronicle that quotes no log lines.
[[nodiscard]] LineDialect chronicleDialect() noexcept;

/// For the prose around quoted log lines, which the dialect of their framework reads.
[[nodiscard]] LineDialect chronicleNotes() noexcept;

}  // namespace firstbad::core
