// SPDX-License-Identifier: GPL-3.0-or-later
// Reads the one number of a rank-0 TensorProto in any of its types and encodings.
//
// Pure over the caller's bytes, no allocation, any thread. Malformed protobuf throws
// protozero::exception: callers inside this folder catch it.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace firstbad::core {

enum class TensorForm : std::uint8_t {
    Scalar,  ///< rank 0 with a number
    NotRankZero,
    NotNumeric,  ///< strings, complex, resources, a content of the wrong size
};

struct TensorScalar {
    TensorForm form = TensorForm::NotNumeric;
    double value = 0.0;
};

[[nodiscard]] TensorScalar readTensorScalar(std::string_view tensorProto);

/// IEEE half, bfloat16 and the two 8-bit float formats, widened exactly.
[[nodiscard]] double doubleFromHalf(std::uint16_t bits) noexcept;
[[nodiscard]] double doubleFromBfloat16(std::uint16_t bits) noexcept;
[[nodiscard]] double doubleFromE5m2(std::uint8_t bits) noexcept;
[[nodiscard]] double doubleFromE4m3fn(std::uint8_t bits) noexcept;

}  // namespace firstbad::core
