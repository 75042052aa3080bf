// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/sweep_answer.h"

#include "core/base/json_writer.h"
#include "core/present/json/lint_json.h"
#include "core/present/text/replay_text.h"
#include "core/protocol/replay_codec.h"

#include <algorithm>

namespace firstbad::cli {
namespace {

std::string resultJson(const core::ReplayResult& result, const core::LintReport& lint)
{
    core::JsonWriter json;
    json.beginObject();
    core::writeReplayMembers(json, result);
    json.key("input_findings");
    core::writeLintFindings(json, lint);
    json.endObject();
    return json.take();
}

/// The result without what differs from run to run, so that equal evidence is stored once.
std::string keptJson(core::ReplayResult result)
{
    result.cost.seconds = 0.0;
    return core::replayResultJson(result);
}

}  // namespace

ExitStatus sweepStatus(const core::ReplayResult& result, const std::string& when)
{
    const bool placed = result.firstBad.has_value();
    const bool fault = placed && (result.verdictClass == "fault" || when != "nonfinite");
    const bool finding = std::any_of(result.findings.begin(), result.findings.end(),
        [](const core::ReplayFinding& one) { return one.severity == "error"; });
    return fault || finding ? ExitStatus::Found : ExitStatus::Nothing;
}

core::Result<Answer> runSweep(std::string_view method, const core::ReplayRequest& request,
    const Environment& environment, core::JobContext& job)
{
    return withWorker(request.shownPath, environment, job,
        [&](ReplaySession& session, core::ReplayClient& worker) -> core::Result<Answer> {
            const auto result = worker.run(method, request, job);
            if (!result)
                return session.failed(method, result.error(), job);
            Answer answer;
            if (environment.json)
                answer.resultJson = resultJson(*result, session.lint());
            else
                answer.text
                    = render(core::replayText(*result, session.lint(),
                                 {method != "replay", environment.verbose}, environment.style),
                        environment.style);
            answer.status = sweepStatus(*result, request.when);
            session.keep(method, keptJson(*result), answer, job);
            return answer;
        });
}

}  // namespace firstbad::cli
