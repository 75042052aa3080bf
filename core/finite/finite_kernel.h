// SPDX-License-Identifier: GPL-3.0-or-later
// The vector part of countValues(): whole vectors only; private to core/finite.
//
// Pure, any thread; about three vector operations a vector beyond the load while nothing is rare.
#pragma once

#include "core/finite/float_format.h"

#include <cstddef>
#include <cstdint>

namespace firstbad::core {

/// Magnitudes and order keys instead of values: the caller decodes.
struct KernelCounts {
    std::uint64_t nan = 0;
    std::uint64_t posInf = 0;
    std::uint64_t negInf = 0;
    std::uint64_t zeros = 0;
    std::uint64_t subnormals = 0;
    std::uint64_t atLargest = 0;
    std::uint64_t firstBad = UINT64_MAX;  ///< index of a value; UINT64_MAX: none
    std::uint64_t smallest = 0;  ///< pattern; meaningful when a value is finite
    std::uint64_t largest = 0;
};

/// `bytes` is a multiple of 64.
void runFiniteKernel(
    const FloatFormat& format, const char* data, std::size_t bytes, KernelCounts& counts) noexcept;

[[nodiscard]] const char* finiteKernelTarget() noexcept;

}  // namespace firstbad::core
