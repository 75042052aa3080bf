// SPDX-License-Identifier: GPL-3.0-or-later
// NVIDIA DLLogger: "DLLL {json}" and the text "DLL ... Training Iteration: 1787  step_loss : 3.14".
//
// Stateless entries; their readers belong to one source and thread.
#pragma once

#include "core/import/text/line_dialect.h"

namespace firstbad::core {

[[nodiscard]] LineDialect dlllDialect() noexcept;
[[nodiscard]] LineDialect dllTextDialect() noexcept;

}  // namespace firstbad::core
