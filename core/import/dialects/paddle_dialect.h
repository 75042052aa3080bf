// SPDX-License-Identifier: GPL-3.0-or-later
// PaddleNLP ("loss: 3.21, learning_rate: 2.9e-05, global_step: 10, ...") and Knover (three lines).
//
// Stateless entries; their readers belong to one source and thread.
#pragma once

#include "core/import/text/line_dialect.h"

namespace firstbad::core {

[[nodiscard]] LineDialect paddleDialect() noexcept;
[[nodiscard]] LineDialect knoverDialect() noexcept;

}  // namespace firstbad::core
