// SPDX-License-Identifier: GPL-3.0-or-later
// Hugging Face Trainer on stdout: "{'loss': 2.3456, 'grad_norm': 1.23, 'epoch': 0.12}".
//
// The dicts carry no step: it comes from the progress bar, else from counting. One reader a source,
// one thread.
#pragma once

#include "core/import/text/line_dialect.h"

namespace firstbad::core {

[[nodiscard]] LineDialect hfStdoutDialect() noexcept;

}  // namespace firstbad::core
