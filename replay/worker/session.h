// SPDX-License-Identifier: GPL-3.0-or-later
// Session: one worker's side of the protocol, line in, line out.
//
// Single-threaded, no I/O of its own; main() owns the streams.
#pragma once

#include "core/protocol/worker_message.h"

#include <string>
#include <string_view>

namespace firstbad::replay {

class Session
{
public:
    explicit Session(core::WorkerHello hello);

    /// The line to say before anything is read.
    [[nodiscard]] std::string greeting() const;

    /// Answers one request; every request gets exactly one result or error.
    [[nodiscard]] std::string answer(std::string_view line);

    /// True once a shutdown was answered.
    [[nodiscard]] bool finished() const noexcept { return m_finished; }

private:
    [[nodiscard]] core::Result<std::string> run(const core::WorkerRequest& request);

    core::WorkerHello m_hello;
    bool m_finished = false;
};

}  // namespace firstbad::replay
