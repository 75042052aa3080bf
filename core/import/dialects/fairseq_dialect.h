// SPDX-License-Identifier: GPL-3.0-or-later
// fairseq and metaseq: progress lines in simple and JSON form, overflow notes, checkpoints.
//
// Stateless entries; their readers belong to one source and thread.
#pragma once

#include "core/import/text/line_dialect.h"

namespace firstbad::core {

[[nodiscard]] LineDialect fairseqDialect() noexcept;
[[nodiscard]] LineDialect fairseqJsonDialect() noexcept;

}  // namespace firstbad::core
