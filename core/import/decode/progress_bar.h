// SPDX-License-Identifier: GPL-3.0-or-later
// Finds a tqdm progress bar in a line: " 12%|#8   | 320/2724 [11:49:53<88:41:03, 132.80s/it, x=1]".
//
// Pure function over the caller's bytes; no allocation; any thread. Linear in the text.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace firstbad::core {

struct ProgressBar {
    std::size_t begin = 0;  ///< bytes of the text that are the bar, its title included
    std::size_t end = 0;
    std::int64_t done = 0;
    std::optional<std::int64_t> total;
    std::string_view title;  ///< "Epoch 3", may be empty
    std::string_view postfix;  ///< "loss=3.65, lr=0.00015", may be empty
};

/// The first bar of `text`; nullopt when there is none. Bars that count bytes are none.
[[nodiscard]] std::optional<ProgressBar> findProgressBar(std::string_view text) noexcept;

/// Whether the title says that something other than training steps is counted.
[[nodiscard]] bool isSideBar(std::string_view title) noexcept;

}  // namespace firstbad::core
