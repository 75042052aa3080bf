// SPDX-License-Identifier: GPL-3.0-or-later
// mlx-examples: "Iter 250: Train loss 1.234, Learning Rate 1.000e-05, It/sec 1.234, ...".
//
// Stateless entry; its readers belong to one source and thread.
#pragma once

#include "core/import/text/line_dialect.h"

namespace firstbad::core {

[[nodiscard]] LineDialect mlxDialect() noexcept;

}  // namespace firstbad::core
