// SPDX-License-Identifier: GPL-3.0-or-later
// Generic dialect: any line that names a step and at least one more number.
//
// Reads "step 5 | loss 2.1", "step=5 loss=2.1", dicts and whatever FieldSplitter understands; used
// when no framework's own dialect claims the file. One reader a source, one thread.
#pragma once

#include "core/import/text/line_dialect.h"

namespace firstbad::core {

[[nodiscard]] int scoreGenericLine(std::string_view line);
[[nodiscard]] std::unique_ptr<LineReader> makeGenericReader();

}  // namespace firstbad::core
