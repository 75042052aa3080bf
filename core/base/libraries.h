// SPDX-License-Identifier: GPL-3.0-or-later
// The libraries that this build of firstbad_core runs with, and their versions. Any thread.
#pragma once

#include <string>
#include <vector>

namespace firstbad::core {

struct LibraryVersion {
    std::string name;
    std::string version;  ///< of the library that is loaded, not of the header
};

[[nodiscard]] std::vector<LibraryVersion> libraryVersions();

}  // namespace firstbad::core
