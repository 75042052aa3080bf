// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/matrix_command.h"

#include "app/cli/input.h"
#include "app/cli/replay_options.h"
#include "app/cli/replay_session.h"
#include "core/present/text/counterfactual_text.h"
#include "core/protocol/replay_codec.h"

#include <algorithm>
#include <CLI/CLI.hpp>

namespace firstbad::cli {
namespace {

class MatrixCommand : public CommandRun
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
        const auto result = worker.matrix(m_options.request(), job);
        if (!result)
            return session.failed("matrix", result.error(), job);
        const bool fails = std::any_of(result->cells.begin(), result->cells.end(),
            [](const core::MatrixCell& cell) { return cell.fails; });
        const std::string json = core::matrixResultJson(*result);
        Answer answer;
        if (environment.json)
            answer.resultJson = json;
        else
            answer.text = render(core::matrixText(*result, environment.style), environment.style);
        answer.status = statusOf(fails, false);
        session.keep("matrix", json, answer, job);
        return answer;
    }

    ReplayOptions m_options;
};

}  // namespace

std::unique_ptr<CommandRun> makeMatrixCommand()
{
    return std::make_unique<MatrixCommand>();
}

}  // namespace firstbad::cli
