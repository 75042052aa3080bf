// SPDX-License-Identifier: GPL-3.0-or-later
// SaveStatus: may a save be restored (contracts.md 6). One type for the judgement and all views.
//
// Plain value; any thread.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace firstbad::core {

enum class SaveStatus : std::uint8_t { Committed, Suspect, Quarantined };

/// "committed", "suspect", "quarantined".
[[nodiscard]] std::string_view toString(SaveStatus status) noexcept;
[[nodiscard]] std::optional<SaveStatus> saveStatusFrom(std::string_view word) noexcept;

}  // namespace firstbad::core
