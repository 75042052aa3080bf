// SPDX-License-Identifier: GPL-3.0-or-later
// Comparisons that say what they do with NaN. The only place where a tolerance is compared.
//
// Pure, constexpr, any thread.
#pragma once

#include "core/base/value_kind.h"

namespace firstbad::core {

/// True only when both values are finite and |a - b| <= tolerance. NaN is never within anything.
[[nodiscard]] constexpr bool within(double a, double b, double tolerance) noexcept
{
    const double difference = a < b ? b - a : a - b;
    return isFinite(a) && isFinite(b) && difference <= tolerance;
}

/// True when `value` is finite and above `limit`, or +Infinity. NaN has to be asked for separately.
[[nodiscard]] constexpr bool exceeds(double value, double limit) noexcept
{
    return classify(value) == ValueKind::PlusInfinity || (isFinite(value) && !(value <= limit));
}

/// Total order for sorting: finite ascending, with -Infinity first, +Infinity next to last, NaN
/// last.
[[nodiscard]] constexpr bool orderedBefore(double a, double b) noexcept
{
    const bool aNan = classify(a) == ValueKind::NotANumber;
    const bool bNan = classify(b) == ValueKind::NotANumber;
    if (aNan || bNan)
        return !aNan && bNan;
    return a < b;
}

}  // namespace firstbad::core
