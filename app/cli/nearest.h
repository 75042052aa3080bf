// SPDX-License-Identifier: GPL-3.0-or-later
// nearest(): the word that somebody who mistyped probably meant. Pure, any thread.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace firstbad::cli {

/// The candidate with the fewest typing errors; nullopt when none is close enough to be meant.
[[nodiscard]] std::optional<std::string> nearest(
    std::string_view typed, const std::vector<std::string>& candidates);

}  // namespace firstbad::cli
