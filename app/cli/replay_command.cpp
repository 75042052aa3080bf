// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/replay_command.h"

#include "app/cli/replay_options.h"
#include "app/cli/sweep_answer.h"

#include <CLI/CLI.hpp>

namespace firstbad::cli {
namespace {

class ReplayCommand : public CommandRun
{
public:
    void addOptions(CLI::App& app) override
    {
        m_options.addCommon(app);
        m_options.addTimes(app);
    }

    core::Result<Answer> run(const Environment& environment, core::JobContext& job) override
    {
        if (const auto problem = m_options.problem(); !problem.empty())
            return usageAnswer(problem);
        return runSweep("replay", m_options.request(), environment, job);
    }

private:
    ReplayOptions m_options;
};

}  // namespace

std::unique_ptr<CommandRun> makeReplayCommand()
{
    return std::make_unique<ReplayCommand>();
}

}  // namespace firstbad::cli
