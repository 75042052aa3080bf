// SPDX-License-Identifier: GPL-3.0-or-later
// MetricLogger (DETR, DINO, MAE, maskrcnn-benchmark): "Epoch: [12]  [ 50/1251]  loss: 2.34 (2.45)".
//
// Stateless entry; its readers belong to one source and thread.
#pragma once

#include "core/import/text/line_dialect.h"

namespace firstbad::core {

[[nodiscard]] LineDialect metricloggerDialect() noexcept;

}  // namespace firstbad::core
