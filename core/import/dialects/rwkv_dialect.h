// SPDX-License-Identifier: GPL-3.0-or-later
// RWKV train_log.txt: "NEW RUN ..." and "epoch loss perplexity lr date time epoch" without names.
//
// Stateless entry; its readers belong to one source and thread.
#pragma once

#include "core/import/text/line_dialect.h"

namespace firstbad::core {

[[nodiscard]] LineDialect rwkvDialect() noexcept;

}  // namespace firstbad::core
