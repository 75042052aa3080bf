// SPDX-License-Identifier: GPL-3.0-or-later
// What the machine offers beside the program itself: LibTorch, a display, disk space.
//
// Looks at the file system and the environment only; starts nothing. Any thread.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace firstbad::cli {

struct Machine {
    std::optional<std::string> torchFolder;  ///< folder that holds torch/lib/libtorch_cpu.so
    std::string torchVersion;  ///< empty when the folder does not tell
    std::string display;  ///< DISPLAY or WAYLAND_DISPLAY; empty: none
    std::optional<std::uint64_t> freeBytes;  ///< of the disk of the current folder
    unsigned cores = 0;
};

[[nodiscard]] Machine lookAtMachine();

}  // namespace firstbad::cli
