// SPDX-License-Identifier: GPL-3.0-or-later
// LLaMA: rotary positions, RMSNorm, grouped key and value heads, gated MLP, no biases by default.
#pragma once

#include "replay/families/family.h"

namespace firstbad::replay {

extern const Family kLlamaFamily;

}  // namespace firstbad::replay
