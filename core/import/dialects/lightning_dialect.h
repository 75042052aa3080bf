// SPDX-License-Identifier: GPL-3.0-or-later
// Lightning progress bars: "v_num=0, train/loss_step=0.571" behind a bar that counts batches.
//
// Stateless entry; its readers belong to one source and thread.
#pragma once

#include "core/import/text/line_dialect.h"

namespace firstbad::core {

[[nodiscard]] LineDialect lightningDialect() noexcept;

}  // namespace firstbad::core
