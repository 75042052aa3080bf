// SPDX-License-Identifier: GPL-3.0-or-later
// The value of one stored element, and where a type stops telling whole numbers apart.
//
// Pure functions over little-endian bytes; any thread.
#pragma once

#include "core/checkpoint/element_type.h"

#include <cstdint>
#include <optional>

namespace firstbad::core {

/// Exact for every type but integers beyond 2^53 (see integerElement). nullopt for types that are
/// no plain numbers (complex, packed, fp4, fp6).
[[nodiscard]] std::optional<double> elementValue(ElementType type, const char* bytes) noexcept;

/// Exact for integer types and bool; nullopt for all others. UInt64 beyond int64 saturates.
[[nodiscard]] std::optional<std::int64_t> integerElement(
    ElementType type, const char* bytes) noexcept;

/// 2^(significand bits) of a floating type: the last whole number up to which all are exact.
/// nullopt for integers.
[[nodiscard]] std::optional<double> exactIntegersUpTo(ElementType type) noexcept;

}  // namespace firstbad::core
