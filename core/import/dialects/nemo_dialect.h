// SPDX-License-Identifier: GPL-3.0-or-later
// NeMo: "global_step=119.0" behind a bar, and "Training epoch 0, iteration 119/999 | ...".
//
// Stateless entry; its readers belong to one source and thread.
#pragma once

#include "core/import/text/line_dialect.h"

namespace firstbad::core {

[[nodiscard]] LineDialect nemoDialect() noexcept;

}  // namespace firstbad::core
