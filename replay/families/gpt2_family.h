// SPDX-License-Identifier: GPL-3.0-or-later
// GPT-2: learned positions, pre-norm blocks, one projection for q, k and v, weights as [in, out].
#pragma once

#include "replay/families/family.h"

namespace firstbad::replay {

extern const Family kGpt2Family;

}  // namespace firstbad::replay
