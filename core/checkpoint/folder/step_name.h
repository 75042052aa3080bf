// SPDX-License-Identifier: GPL-3.0-or-later
// The step that the name of a save states: iter_0000100, global_step10, checkpoint-500, step-12.
// Pure; any thread.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace firstbad::core {

[[nodiscard]] std::optional<std::int64_t> stepOfName(std::string_view name) noexcept;

}  // namespace firstbad::core
