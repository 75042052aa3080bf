// SPDX-License-Identifier: GPL-3.0-or-later
// PyTorch word LM example: "| epoch   1 |   200/ 2983 batches | lr 20.00 | loss  5.61 | ppl 273.2".
//
// Stateless entry; its readers belong to one source and thread.
#pragma once

#include "core/import/text/line_dialect.h"

namespace firstbad::core {

[[nodiscard]] LineDialect wordLmDialect() noexcept;

}  // namespace firstbad::core
