// SPDX-License-Identifier: GPL-3.0-or-later
// litgpt: "Epoch 1 | iter 250 step 62 | loss train: 3.210, val: n/a | iter time: 210.12 ms (step)".
//
// Stateless entry; its readers belong to one source and thread.
#pragma once

#include "core/import/text/line_dialect.h"

namespace firstbad::core {

[[nodiscard]] LineDialect litgptDialect() noexcept;

}  // namespace firstbad::core
