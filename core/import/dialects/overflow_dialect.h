// SPDX-License-Identifier: GPL-3.0-or-later
// Lines with which DeepSpeed and apex say that a loss scaler skipped a step or moved its scale.
//
// A companion: gives events between the records of any other dialect. One a source, one thread.
#pragma once

#include "core/import/text/line_dialect.h"

namespace firstbad::core {

[[nodiscard]] LineDialect overflowDialect() noexcept;

}  // namespace firstbad::core
