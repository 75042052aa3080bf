// SPDX-License-Identifier: GPL-3.0-or-later
// What the reading child does: describes the datasets of an HDF5 file, or sends the data of one.
//
// Runs in a child (ForkedReader), because the library may crash on a hostile file. Follows hard
// links only, loads no plugins, never calls the parent's memory.
#pragma once

#include "core/checkpoint/hdf5/hdf5_layout.h"
#include "core/checkpoint/hdf5/hdf5_window.h"

namespace firstbad::core {

/// Sends Hdf5Parts, then kForkedEnd.
void sendHdf5Layout(const Hdf5Window& window, int descriptor) noexcept;

/// Sends the data of one dataset, row-major and little-endian, then kForkedEnd.
void sendHdf5Data(const Hdf5Window& window, const std::string& dataset, int descriptor) noexcept;

/// Turns the library's output and plugins off and opens the file; negative, with the library's
/// `reason`, when it cannot be.
[[nodiscard]] std::int64_t openForChild(const Hdf5Window& window, std::string& reason);

}  // namespace firstbad::core
