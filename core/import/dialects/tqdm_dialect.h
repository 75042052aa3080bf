// SPDX-License-Identifier: GPL-3.0-or-later
// Logs that are only a progress bar: its postfix ("loss=3.65, lr=0.00015") at the bar's count.
//
// Of rewrites with one count the last is kept. One reader a source, one thread.
#pragma once

#include "core/import/text/line_dialect.h"

namespace firstbad::core {

[[nodiscard]] LineDialect tqdmDialect() noexcept;

}  // namespace firstbad::core
