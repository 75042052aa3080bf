// SPDX-License-Identifier: GPL-3.0-or-later
// The result of `look` as text for 80 columns and more. Pure, any thread.
#pragma once

#include "core/present/look.h"
#include "core/present/text/text_style.h"

namespace firstbad::core {

/// `verbose` leaves nothing out: every attempt, benign incident, save and note.
[[nodiscard]] StyledText lookText(const Look& look, const TextStyle& style, bool verbose);

}  // namespace firstbad::core
