// SPDX-License-Identifier: GPL-3.0-or-later
// torchtitan: "step: 14  loss:  3.24405  grad_norm:  0.8319  memory:  9.46GiB(64.99%)  tps: 7,282".
//
// Stateless entry; its readers belong to one source and thread.
#pragma once

#include "core/import/text/line_dialect.h"

namespace firstbad::core {

[[nodiscard]] LineDialect torchtitanDialect() noexcept;

}  // namespace firstbad::core
