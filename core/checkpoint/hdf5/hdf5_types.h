// SPDX-License-Identifier: GPL-3.0-or-later
// Which ElementType an HDF5 type is. For the reading child only; one thread.
#pragma once

#include "core/checkpoint/element_type.h"

#include <cstdint>

namespace firstbad::core {

struct Hdf5Number {
    ElementType type = ElementType::Unknown;  ///< Unknown: no number that firstbad knows
    bool bigEndian = false;
};

/// `type` is an hid_t of a datatype.
[[nodiscard]] Hdf5Number numberOfHdf5Type(std::int64_t type) noexcept;

}  // namespace firstbad::core
