// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/bisect_command.h"

#include "app/cli/bisect_steps.h"
#include "app/cli/replay_options.h"
#include "app/cli/sweep_answer.h"

#include <CLI/CLI.hpp>

namespace firstbad::cli {
namespace {

class BisectCommand : public CommandRun
{
public:
    void addOptions(CLI::App& app) override
    {
        app.add_option("CAPSULE", m_words, "A capsule's folder, or a word and what it takes")
            ->required()
            ->expected(1, 2)
            ->type_name("CAPSULE");
        m_options.addPrecision(app);
        m_options.addPredicate(app);
        m_options.addLane(app);
    }

    core::Result<Answer> run(const Environment& environment, core::JobContext& job) override
    {
        if (const auto problem = m_options.problem(); !problem.empty())
            return usageAnswer(problem);
        if (BisectSteps::isWord(m_words.front()))
            return BisectSteps(environment, job)
                .run(m_words.front(), {m_words.begin() + 1, m_words.end()}, m_options.request());
        if (m_words.size() > 1)
            return usageAnswer("bisect takes one capsule, or a word: start, next, good, ...");
        m_options.setCapsule(m_words.front());
        return runSweep("bisect", m_options.request(), environment, job);
    }

private:
    std::vector<std::string> m_words;
    ReplayOptions m_options;
};

}  // namespace

std::unique_ptr<CommandRun> makeBisectCommand()
{
    return std::make_unique<BisectCommand>();
}

}  // namespace firstbad::cli
