// SPDX-License-Identifier: GPL-3.0-or-later
// Warnings that travel beside data: what was skipped, how much, where. Plain values, any thread.
#pragma once

#include "core/base/result.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace firstbad::core {

enum class Severity : std::uint8_t { Info, Warning, Error };

[[nodiscard]] constexpr std::string_view toString(Severity severity) noexcept
{
    switch (severity) {
    case Severity::Info:
        return "info";
    case Severity::Warning:
        return "warning";
    case Severity::Error:
        return "error";
    }
    return "error";
}

struct Diagnostic {
    Severity severity = Severity::Warning;
    std::string code;  ///< stable slug, for example "torn-tail"
    std::string message;  ///< one sentence
    Where where;
};

using Diagnostics = std::vector<Diagnostic>;

}  // namespace firstbad::core
