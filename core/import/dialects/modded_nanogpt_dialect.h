// SPDX-License-Identifier: GPL-3.0-or-later
// modded-nanogpt and parameter-golf: "step:250/5100 train_loss:3.2101 train_time:31234ms".
//
// Stateless entry; its readers belong to one source and thread.
#pragma once

#include "core/import/text/line_dialect.h"

namespace firstbad::core {

[[nodiscard]] LineDialect moddedNanogptDialect() noexcept;

}  // namespace firstbad::core
