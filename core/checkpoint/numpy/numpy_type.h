// SPDX-License-Identifier: GPL-3.0-or-later
// NumpyType: what NumPy's "<f4" means. Pure; any thread.
#pragma once

#include "core/checkpoint/element_type.h"

#include <cstdint>
#include <optional>
#include <string_view>

namespace firstbad::core {

struct NumpyType {
    ElementType type = ElementType::Unknown;  ///< Unknown: text, raw bytes, long double
    std::uint64_t itemBytes = 0;
    bool bigEndian = false;
    bool isObject = false;  ///< the data is a pickle
};

/// Reads "<f4", "|b1", ">c16", "f4", "O"; nullopt when it is no such text.
[[nodiscard]] std::optional<NumpyType> numpyTypeFromDescr(std::string_view descr);

}  // namespace firstbad::core
