// SPDX-License-Identifier: GPL-3.0-or-later
// ReplaySession: one capsule, its lint and a worker, as the replaying commands use them; and what
// of it is kept in the case.
//
// One thread. Reads the capsule, starts a process, writes into the case when there is one.
#pragma once

#include "app/cli/capsule_input.h"
#include "app/cli/command.h"
#include "app/cli/usage_answer.h"
#include "core/capsule/lint.h"
#include "core/worker/replay_client.h"

#include <functional>
#include <optional>
#include <string>
#include <string_view>

namespace firstbad::cli {

class ReplaySession
{
public:
    /// Opens and lints the capsule. An Answer when it is damaged or lacks files.
    [[nodiscard]] static core::Result<std::variant<ReplaySession, Answer>> open(
        const std::string& path, const Environment& environment, core::JobContext& job);

    [[nodiscard]] const core::Capsule& capsule() const noexcept { return m_capsule; }
    [[nodiscard]] const core::LintReport& lint() const noexcept { return m_lint; }

    /// Starts the worker, or answers the one that runs.
    [[nodiscard]] core::Result<core::ReplayClient*> worker(core::JobContext& job);

    /// Keeps capsule and result in the case, if there is one. What went wrong is a diagnostic: a
    /// result is shown even if it could not be kept.
    void keep(std::string_view kind, const std::string& resultJson, Answer& answer,
        core::JobContext& job);

    /// The answer of a request that failed: exit status 4 for a capsule that cannot be run, after
    /// keeping what was proven; the Error itself when nothing could be carried out.
    [[nodiscard]] core::Result<Answer> failed(
        std::string_view kind, const core::Error& error, core::JobContext& job);

private:
    ReplaySession(core::Capsule capsule, const Environment& environment)
        : m_capsule(std::move(capsule))
        , m_environment(&environment)
    { }

    core::Capsule m_capsule;
    core::LintReport m_lint;
    const Environment* m_environment;
    std::optional<core::ReplayClient> m_client;
};

/// Opens the capsule, starts the worker and asks it: what every replay command does first. The
/// Answer of open() when the capsule is refused.
[[nodiscard]] core::Result<Answer> withWorker(const std::string& capsule,
    const Environment& environment, core::JobContext& job,
    const std::function<core::Result<Answer>(ReplaySession&, core::ReplayClient&)>& ask);

}  // namespace firstbad::cli
