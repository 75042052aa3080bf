// SPDX-License-Identifier: GPL-3.0-or-later
// mmengine, xtuner, mmcv: "Iter(train) [ 510/2046]  lr: 1.7590e-04  loss: 0.6919  grad_norm: nan".
//
// Stateless entry; its readers belong to one source and thread.
#pragma once

#include "core/import/text/line_dialect.h"

namespace firstbad::core {

[[nodiscard]] LineDialect mmengineDialect() noexcept;

}  // namespace firstbad::core
