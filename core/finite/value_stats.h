// SPDX-License-Identifier: GPL-3.0-or-later
// ValueStats: what one read of an array tells: counts, first bad place, finite range, near misses.
//
// Plain value; joining parts in any order gives the same as one pass over the whole. Any thread.
#pragma once

#include <cstdint>
#include <optional>

namespace firstbad::core {

struct ValueStats {
    std::uint64_t values = 0;  ///< complex halves count as two
    std::uint64_t nan = 0;
    std::uint64_t posInf = 0;
    std::uint64_t negInf = 0;
    std::uint64_t zeros = 0;  ///< of both signs
    std::uint64_t subnormals = 0;
    std::uint64_t atLargest = 0;  ///< finite values whose size is the largest of the type
    std::optional<std::uint64_t> firstBad;  ///< index of the first non-finite value
    std::optional<double> smallest;  ///< over finite values
    std::optional<double> largest;

    [[nodiscard]] std::uint64_t nonfinite() const noexcept { return nan + posInf + negInf; }
    /// Adds `part`, whose index 0 is index `offset` here.
    void join(const ValueStats& part, std::uint64_t offset = 0) noexcept;
    /// Every value counted `times` times (dimensions of stride 0); indices stay.
    void repeat(std::uint64_t times) noexcept;
    bool operator==(const ValueStats&) const = default;
};

}  // namespace firstbad::core
