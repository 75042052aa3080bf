// SPDX-License-Identifier: GPL-3.0-or-later
// What surrounds the records of any framework: launches, loads, saves, exceptions, signals, limits.
//
// A companion: gives events and launch breaks. One a source, one thread; linear in the line.
#pragma once

#include "core/import/text/line_dialect.h"

namespace firstbad::core {

[[nodiscard]] LineDialect launchDialect() noexcept;

}  // namespace firstbad::core
