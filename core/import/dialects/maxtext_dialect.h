// SPDX-License-Identifier: GPL-3.0-or-later
// MaxText: "completed step: 250, seconds: 1.234, TFLOP/s/device: 120.456, loss: 3.210".
//
// Stateless entry; its readers belong to one source and thread.
#pragma once

#include "core/import/text/line_dialect.h"

namespace firstbad::core {

[[nodiscard]] LineDialect maxtextDialect() noexcept;

}  // namespace firstbad::core
