// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/sweep_command.h"

#include "app/cli/replay_options.h"
#include "app/cli/sweep_answer.h"

#include <CLI/CLI.hpp>

namespace firstbad::cli {
namespace {

class SweepCommand : public CommandRun
{
public:
    void addOptions(CLI::App& app) override
    {
        m_options.addCommon(app);
        m_options.addPredicate(app);
        m_options.addDump(app);
    }

    core::Result<Answer> run(const Environment& environment, core::JobContext& job) override
    {
        if (const auto problem = m_options.problem(); !problem.empty())
            return usageAnswer(problem);
        return runSweep("sweep", m_options.request(), environment, job);
    }

private:
    ReplayOptions m_options;
};

}  // namespace

std::unique_ptr<CommandRun> makeSweepCommand()
{
    return std::make_unique<SweepCommand>();
}

}  // namespace firstbad::cli
