// SPDX-License-Identifier: GPL-3.0-or-later
// Megatron-LM and its forks: " iteration 12/ 500 | consumed samples: ... | lm loss: 2.3E+00 | ...".
//
// Reads Megatron-LM, Megatron-Core, Megatron-DeepSpeed (key: value and key=value), GPT-NeoX and
// ROCm forks. One reader a source, one thread. The hot path compares each field's name with the one
// at its place in the record before and does not allocate.
#pragma once

#include "core/import/text/line_dialect.h"

namespace firstbad::core {

[[nodiscard]] LineDialect megatronDialect() noexcept;

}  // namespace firstbad::core
