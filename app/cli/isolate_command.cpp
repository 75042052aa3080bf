// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/isolate_command.h"

#include "app/cli/input.h"
#include "app/cli/replay_options.h"
#include "app/cli/replay_session.h"
#include "core/present/text/counterfactual_text.h"
#include "core/protocol/replay_codec.h"

#include <algorithm>
#include <CLI/CLI.hpp>

namespace firstbad::cli {
namespace {

class IsolateCommand : public CommandRun
{
public:
    void addOptions(CLI::App& app) override { m_options.addCommon(app); }

    core::Result<Answer> run(const Environment& environment, core::JobContext& job) override
    {
        return withWorker(m_options.capsule(), environment, job,
            [&](ReplaySession& session, core::ReplayClient& worker) {
                return ask(session, worker, environment, job);
            });
    }

private:
    [[nodiscard]] core::Result<Answer> ask(ReplaySession& session, core::ReplayClient& worker,
        const Environment& environment, core::JobContext& job) const
    {
        const auto result = worker.isolate(m_options.request(), job);
        if (!result)
            return session.failed("isolate", result.error(), job);
        const bool fails = !result->minimalSets.empty();
        const std::string json = core::isolateResultJson(*result);
        Answer answer;
        if (environment.json)
            answer.resultJson = json;
        else
            answer.text = render(core::isolateText(*result, environment.style), environment.style);
        answer.status = statusOf(fails, false);
        session.keep("isolate", json, answer, job);
        return answer;
    }

    ReplayOptions m_options;
};

}  // namespace

std::unique_ptr<CommandRun> makeIsolateCommand()
{
    return std::make_unique<IsolateCommand>();
}

}  // namespace firstbad::cli
