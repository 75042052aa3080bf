// SPDX-License-Identifier: GPL-3.0-or-later
// nanoGPT: "iter 250: loss 3.2101, time 123.45ms, mfu 12.34%" and the evaluation before it.
//
// Stateless entry; its readers belong to one source and thread.
#pragma once

#include "core/import/text/line_dialect.h"

namespace firstbad::core {

[[nodiscard]] LineDialect nanogptDialect() noexcept;

}  // namespace firstbad::core
