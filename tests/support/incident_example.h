// SPDX-License-Identifier: GPL-3.0-or-later
// A run with a loss-scale collapse, as data: shared by tests of what is shown.
//
// Steps 33,693 to 33,812; scale 65,536 halves nine times from 33,708; loss leaves 2.19 at 33,740;
// NaN at 33,708-33,716 and from 33,797. The values follow from formulas, there is no randomness.
#pragma once

#include "core/detect/assessment.h"

namespace firstbad::test {

/// One run of two attempts, one fault with evidence, two unknown, three benign incidents, an audit,
/// a checkpoint and a damaged source.
[[nodiscard]] core::Assessment incidentExample();

}  // namespace firstbad::test
