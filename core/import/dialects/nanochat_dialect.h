// SPDX-License-Identifier: GPL-3.0-or-later
// nanochat: "step 00250/21400 (1.17%) | loss: 3.210123 | dt: 320.11ms | tok/sec: 1,638,400".
//
// Stateless entry; its readers belong to one source and thread.
#pragma once

#include "core/import/text/line_dialect.h"

namespace firstbad::core {

[[nodiscard]] LineDialect nanochatDialect() noexcept;

}  // namespace firstbad::core
