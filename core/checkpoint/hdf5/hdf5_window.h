// SPDX-License-Identifier: GPL-3.0-or-later
// Opens an HDF5 file that is a part of another file (a .keras archive), read only.
//
// For the reading child only: a driver of the HDF5 library with one pread a request. One thread.
#pragma once

#include <cstdint>
#include <string>

namespace firstbad::core {

/// Where an HDF5 file lies: all of `path`, or a part of it.
struct Hdf5Window {
    std::string path;
    std::uint64_t offset = 0;
    std::uint64_t length = 0;
};

/// An HDF5 file identifier (hid_t), or a negative number and the library's `reason`.
[[nodiscard]] std::int64_t openHdf5Window(const Hdf5Window& window, std::string& reason);

}  // namespace firstbad::core
