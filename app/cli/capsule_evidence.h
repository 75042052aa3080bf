// SPDX-License-Identifier: GPL-3.0-or-later
// Keeps a capsule and a result in the case as immutable evidence.
//
// One thread; writes into the case. Without a case it does nothing.
#pragma once

#include "app/cli/command.h"
#include "core/capsule/capsule.h"

#include <string>
#include <string_view>

namespace firstbad::cli {

/// What was left out comes back as diagnostics; an Error when nothing could be kept.
[[nodiscard]] core::Result<core::Diagnostics> keepEvidence(const core::Capsule& capsule,
    std::string_view kind, const std::string& resultJson, const Environment& environment,
    core::JobContext& job);

}  // namespace firstbad::cli
