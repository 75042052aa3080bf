// SPDX-License-Identifier: GPL-3.0-or-later
// Where one bad step began and whom it reached; see bad_events.h. Pure, any thread.
#pragma once

#include "core/ledger/bad_events.h"

namespace firstbad::core {

/// Fills first, origins, victims and bornInReduce for the step of `event`.
void findOrigin(const LedgerGroup& group, const BadEvent& event, BadEvents& found);

}  // namespace firstbad::core
