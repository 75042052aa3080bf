// SPDX-License-Identifier: GPL-3.0-or-later
// build-nanogpt log.txt: "250 train 3.210987", "250 val 3.2345", "250 hella 0.2654".
//
// Stateless entry; its readers belong to one source and thread.
#pragma once

#include "core/import/text/line_dialect.h"

namespace firstbad::core {

[[nodiscard]] LineDialect buildNanogptDialect() noexcept;

}  // namespace firstbad::core
