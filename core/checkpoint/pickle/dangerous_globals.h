// SPDX-License-Identifier: GPL-3.0-or-later
// isDangerousGlobal(): names whose call from a pickle runs code or reaches the system. Pure; any
// thread.
#pragma once

#include "core/checkpoint/pickle/value.h"

namespace firstbad::core {

[[nodiscard]] bool isDangerousGlobal(const PickleGlobal& global);

}  // namespace firstbad::core
