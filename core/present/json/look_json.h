// SPDX-License-Identifier: GPL-3.0-or-later
// The result of `look` as JSON (contracts.md 2). Pure, any thread.
#pragma once

#include "core/present/look.h"

#include <string>

namespace firstbad::core {

[[nodiscard]] std::string lookJson(const Look& look);

}  // namespace firstbad::core
