// SPDX-License-Identifier: GPL-3.0-or-later
// ValueDecoder: bytes of any floating-point type to doubles, block by block, exactly.
//
// Holds a table of all patterns for types of at most 16 bits (512 KiB). One thread at a time.
#pragma once

#include "core/finite/float_format.h"

#include <span>
#include <vector>

namespace firstbad::core {

class ValueDecoder
{
public:
    /// `type` has a floatFormat().
    explicit ValueDecoder(ElementType type);

    /// Values of `bytes`, whose order is little-endian; both halves of complex ones. The span is
    /// valid until the next call.
    [[nodiscard]] std::span<const double> decode(std::span<const char> bytes);

    [[nodiscard]] unsigned valueBytes() const noexcept { return m_format.bytes; }

private:
    const FloatFormat& m_format;
    std::vector<double> m_table;
    std::vector<double> m_values;
};

}  // namespace firstbad::core
