// SPDX-License-Identifier: GPL-3.0-or-later
// GLM-130B: post-norm residuals scaled by sqrt(2N), rotary positions, scores kept small by the
// layer's number and scaled back in fp32, gated MLP.
#pragma once

#include "replay/families/family.h"

namespace firstbad::replay {

extern const Family kGlmFamily;

}  // namespace firstbad::replay
