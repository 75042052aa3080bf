// SPDX-License-Identifier: GPL-3.0-or-later
// OLMo and OLMo-core: a marker "[step=1/220,epoch=1]", then one "name=value" a line.
//
// Stateless entry; its readers belong to one source and thread.
#pragma once

#include "core/import/text/line_dialect.h"

namespace firstbad::core {

[[nodiscard]] LineDialect olmoDialect() noexcept;

}  // namespace firstbad::core
