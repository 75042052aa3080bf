// SPDX-License-Identifier: GPL-3.0-or-later
// Options that the replaying commands share, and the request they make.
//
// One thread.
#pragma once

#include "core/protocol/replay_request.h"

#include <string>

namespace CLI {
class App;
}  // namespace CLI

namespace firstbad::cli {

class ReplayOptions
{
public:
    /// CAPSULE, --precision, --device.
    void addCommon(CLI::App& app);
    void addPrecision(CLI::App& app);
    /// --when, --limit, --baseline.
    void addPredicate(CLI::App& app);
    void addTimes(CLI::App& app);
    void addDump(CLI::App& app);
    void addLane(CLI::App& app);

    void setCapsule(const std::string& path) { m_request.shownPath = path; }

    /// A sentence for a combination that makes no sense; empty when it does.
    [[nodiscard]] std::string problem() const;
    [[nodiscard]] core::ReplayRequest request() const;
    [[nodiscard]] const std::string& capsule() const noexcept { return m_request.shownPath; }

private:
    core::ReplayRequest m_request;
};

}  // namespace firstbad::cli
