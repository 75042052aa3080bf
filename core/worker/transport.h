// SPDX-License-Identifier: GPL-3.0-or-later
// WorkerTransport: how lines reach a worker and come back, and how it is ended.
//
// Owned and used by one thread. Implementations: a local process; in tests, a script in memory.
#pragma once

#include "core/base/result.h"

#include <chrono>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace firstbad::core {

struct Received {
    enum class Kind : std::uint8_t {
        Line,
        Quiet,  ///< nothing came within the time
        TooLong,  ///< a line beyond the limit of the protocol
        Closed,  ///< the worker will say nothing more
    };
    Kind kind = Kind::Quiet;
    std::string line;
};

class WorkerTransport
{
public:
    WorkerTransport() = default;
    WorkerTransport(const WorkerTransport&) = delete;
    WorkerTransport& operator=(const WorkerTransport&) = delete;
    /// Ends the worker if it still runs.
    virtual ~WorkerTransport() = default;

    /// Sends one line; the newline is added. WorkerCrashed when nobody listens.
    [[nodiscard]] virtual Result<void> send(std::string_view line) = 0;
    /// Waits at most `wait` for a line.
    [[nodiscard]] virtual Received receive(std::chrono::milliseconds wait) = 0;
    /// Asks it to end now (SIGTERM); then, without a choice (SIGKILL).
    virtual void terminate() = 0;
    virtual void kill() = 0;
    /// The last lines of its log, oldest first.
    [[nodiscard]] virtual std::vector<std::string> lastLog() = 0;
    /// After Closed: "ended with status 1", "died of signal 11 (Segmentation fault)".
    [[nodiscard]] virtual std::string howItEnded() = 0;
};

}  // namespace firstbad::core
