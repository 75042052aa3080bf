// SPDX-License-Identifier: GPL-3.0-or-later
// The capsule that a command was given: read, or what is wrong with it as an answer.
//
// One thread; reads capsule.json only.
#pragma once

#include "app/cli/command.h"
#include "core/capsule/capsule.h"

#include <string>
#include <variant>

namespace firstbad::cli {

/// A capsule; or, for one that was opened and is damaged or of another version, the answer with
/// exit status 4 (contracts.md 2). An Error when there is nothing of that name.
[[nodiscard]] core::Result<std::variant<core::Capsule, Answer>> openCapsule(
    const std::string& path);

}  // namespace firstbad::cli
