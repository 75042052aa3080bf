// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/checkpoint/folder/step_name.h"

#include "core/base/number.h"
#include "core/base/text.h"

#include <array>

namespace firstbad::core {

std::optional<std::int64_t> stepOfName(std::string_view name) noexcept
{
    constexpr std::array<std::string_view, 10> kWords{"global_step", "checkpoint-", "checkpoint_",
        "iteration", "iter_", "iter-", "step=", "step-", "step_", "step"};
    constexpr std::size_t kMaxDigits = 18;
    for (const std::string_view word : kWords) {
        const std::size_t at = name.rfind(word);
        if (at == std::string_view::npos)
            continue;
        std::string_view digits = name.substr(at + word.size());
        std::size_t length = 0;
        while (length < digits.size() && isAsciiDigit(digits[length]))
            ++length;
        if (length > 0 && length <= kMaxDigits)
            return parseInteger(digits.substr(0, length));
    }
    return std::nullopt;
}

}  // namespace firstbad::core
