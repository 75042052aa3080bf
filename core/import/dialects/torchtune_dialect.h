// SPDX-License-Identifier: GPL-3.0-or-later
// torchtune: "Step 12 | loss:1.2345 lr:2e-05 tokens_per_second_per_gpu:1234.5".
//
// Stateless entry; its readers belong to one source and thread.
#pragma once

#include "core/import/text/line_dialect.h"

namespace firstbad::core {

[[nodiscard]] LineDialect torchtuneDialect() noexcept;

}  // namespace firstbad::core
