// SPDX-License-Identifier: GPL-3.0-or-later
// Swin Transformer and its kin (VMamba, SimMIM): "Train: [3/300][40/1251]<tab>loss 6.91
// (6.92)<tab>...".
//
// Stateless entry; its readers belong to one source and thread.
#pragma once

#include "core/import/text/line_dialect.h"

namespace firstbad::core {

[[nodiscard]] LineDialect swinDialect() noexcept;

}  // namespace firstbad::core
