// SPDX-License-Identifier: GPL-3.0-or-later
// countValues(): NaN, infinities, range and near misses of an array, at the speed of memory.
//
// Pure functions over the caller's bytes, no allocation, any thread. Instruction set chosen at run
// time.
#pragma once

#include "core/checkpoint/element_type.h"
#include "core/finite/value_stats.h"

#include <span>

namespace firstbad::core {

/// `bytes` are little-endian values without gaps, at any alignment; a torn last value is left out.
/// Indices count values: element = index / valuesPerElement(type). Types that cannot be non-finite
/// give the count alone.
[[nodiscard]] ValueStats countValues(ElementType type, std::span<const char> bytes) noexcept;

/// The same by decoding value after value: what countValues() must equal.
[[nodiscard]] ValueStats countValuesSlowly(ElementType type, std::span<const char> bytes) noexcept;

/// Turns values of `valueBytes` bytes each around, in place.
void swapByteOrder(std::span<char> bytes, unsigned valueBytes) noexcept;

/// "AVX3", "NEON", ...: the instruction set that countValues() uses here.
[[nodiscard]] const char* finiteScanTarget() noexcept;

}  // namespace firstbad::core
