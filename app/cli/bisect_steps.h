// SPDX-License-Identifier: GPL-3.0-or-later
// BisectSteps: the stepped bisect of a case; every verdict is a row before it is shown.
//
// One thread; reads and writes the case, starts a worker when the program has to look.
#pragma once

#include "app/cli/command.h"
#include "core/bisect/bisect_log.h"
#include "core/protocol/replay_request.h"
#include "core/store/case_store.h"

#include <string>
#include <vector>

namespace firstbad::cli {

class BisectSteps
{
public:
    /// Opens the case and the search that is open in it. A usage Answer when there is no case.
    BisectSteps(const Environment& environment, core::JobContext& job)
        : m_environment(environment)
        , m_job(job)
    { }

    /// Does `word` with what follows it on the command line.
    [[nodiscard]] core::Result<Answer> run(const std::string& word,
        const std::vector<std::string>& arguments, const core::ReplayRequest& options);

    /// Whether a first argument is one of the words, not a capsule.
    [[nodiscard]] static bool isWord(const std::string& argument);

private:
    [[nodiscard]] core::Result<void> open();
    [[nodiscard]] core::Result<void> append(const core::BisectEntry& row);
    [[nodiscard]] core::Result<Answer> start(
        const std::string& capsule, const core::ReplayRequest& options);
    [[nodiscard]] core::Result<Answer> say(core::ProbeVerdict verdict, std::string probe);
    /// Lets the program look: once, or until the search is at its end.
    [[nodiscard]] core::Result<Answer> look(bool toTheEnd);
    [[nodiscard]] core::Result<Answer> reset();
    [[nodiscard]] core::Result<Answer> log() const;
    [[nodiscard]] core::Result<Answer> replay(const std::string& path);
    [[nodiscard]] Answer standing() const;
    /// What the program has to look at next: a boundary, or the element of the op found.
    [[nodiscard]] std::string wanted() const;

    const Environment& m_environment;
    core::JobContext& m_job;
    std::optional<core::CaseStore> m_store;
    std::vector<core::BisectEntry> m_rows;
    std::optional<core::OpenBisect> m_open;
};

}  // namespace firstbad::cli
