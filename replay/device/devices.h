// SPDX-License-Identifier: GPL-3.0-or-later
// What this process can compute on: the devices of LibTorch and the types each really multiplies.
//
// Call from one thread, once. Runs one tiny matrix product for each device and type.
#pragma once

#include "core/base/result.h"
#include "core/protocol/worker_message.h"

namespace firstbad::replay {

/// The hello of this build: versions, devices, and the model families that can be replayed.
/// `log` gets one line about why something is missing.
[[nodiscard]] core::WorkerHello describeThisWorker(std::string& log);

}  // namespace firstbad::replay
