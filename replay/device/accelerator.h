// SPDX-License-Identifier: GPL-3.0-or-later
// Finds NVIDIA devices through the driver, and loads LibTorch's CUDA half when there are any.
//
// Everything is loaded at run time, so that one worker binary serves machines with and without a
// GPU. Call from one thread, once; loading libtorch_cuda takes a second or more.
#pragma once

#include "core/base/result.h"

#include <cstdint>
#include <string>
#include <vector>

namespace firstbad::replay {

struct Accelerator {
    int ordinal = 0;
    std::string name;
    std::uint64_t memoryBytes = 0;
};

struct AcceleratorReport {
    int driverVersion = 0;  ///< 0 when there is no driver
    std::vector<Accelerator> accelerators;  ///< empty when LibTorch cannot use them
    std::string whyNone;  ///< one sentence for the log when the list is empty
};

[[nodiscard]] AcceleratorReport findAccelerators();

}  // namespace firstbad::replay
