// SPDX-License-Identifier: GPL-3.0-or-later
// The one JSON document that a command prints with --json (contracts.md 2).
//
// Pure; strict JSON; any thread.
#pragma once

#include "core/base/diagnostics.h"

#include <string>
#include <string_view>

namespace firstbad::core {

/// `resultJson` is the command's own result.
[[nodiscard]] std::string documentJson(
    std::string_view command, std::string_view resultJson, const Diagnostics& diagnostics);

/// The document of a command that could not be carried out: result null, the error as a diagnostic.
[[nodiscard]] std::string errorDocumentJson(std::string_view command, const Error& error);

}  // namespace firstbad::core
