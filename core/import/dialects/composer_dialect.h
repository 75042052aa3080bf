// SPDX-License-Identifier: GPL-3.0-or-later
// Composer: a marker "[batch=250/3200]:", then one "Train name: value" a line.
//
// Stateless entry; its readers belong to one source and thread.
#pragma once

#include "core/import/text/line_dialect.h"

namespace firstbad::core {

[[nodiscard]] LineDialect composerDialect() noexcept;

}  // namespace firstbad::core
