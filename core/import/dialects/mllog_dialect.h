// SPDX-License-Identifier: GPL-3.0-or-later
// MLPerf logging: ":::MLLOG {json}" of a benchmark, one value a line.
//
// Stateless entry; its readers belong to one source and thread.
#pragma once

#include "core/import/text/line_dialect.h"

namespace firstbad::core {

[[nodiscard]] LineDialect mllogDialect() noexcept;

}  // namespace firstbad::core
