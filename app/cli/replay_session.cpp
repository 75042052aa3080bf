// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/replay_session.h"

#include "app/cli/capsule_evidence.h"
#include "app/cli/terminal.h"
#include "core/protocol/replay_codec.h"

#include <algorithm>
#include <fmt/format.h>
#include <unistd.h>

namespace firstbad::cli {
namespace {

/// Missing files as the answer of a capsule that cannot be run.
std::optional<Answer> missingFiles(const core::LintReport& lint)
{
    Answer answer;
    for (const auto& finding : lint.findings) {
        if (finding.code == "missing-file")
            answer.diagnostics.push_back(
                {core::Severity::Error, finding.code, finding.text, {finding.tensor, {}, {}}});
    }
    if (answer.diagnostics.empty())
        return std::nullopt;
    answer.resultJson = "null";
    answer.status = ExitStatus::Damaged;
    return answer;
}

/// The worker opened the capsule and cannot run it, as opposed to not being able to work at all.
bool isAboutCapsule(core::ErrorCode code)
{
    return code == core::ErrorCode::Malformed || code == core::ErrorCode::Unsupported
        || code == core::ErrorCode::Unreadable;
}

}  // namespace

core::Result<std::variant<ReplaySession, Answer>> ReplaySession::open(
    const std::string& path, const Environment& environment, core::JobContext& job)
{
    auto opened = openCapsule(path);
    if (!opened)
        return tl::unexpected(std::move(opened.error()));
    if (auto* refused = std::get_if<Answer>(&*opened))
        return std::move(*refused);
    ReplaySession session(std::move(std::get<core::Capsule>(*opened)), environment);
    auto lint = core::lintCapsule(session.m_capsule, job);
    if (!lint)
        return tl::unexpected(std::move(lint.error()));
    if (auto missing = missingFiles(*lint))
        return std::move(*missing);
    session.m_lint = std::move(*lint);
    return session;
}

core::Result<core::ReplayClient*> ReplaySession::worker(core::JobContext& job)
{
    if (m_client)
        return &*m_client;
    auto client = core::ReplayClient::start(job);
    if (!client)
        return tl::unexpected(std::move(client.error()));
    m_client.emplace(std::move(*client));
    if (!m_environment->quiet)
        m_client->onNotice([](const std::string& notice) {
            static_cast<void>(writeAll(STDERR_FILENO, fmt::format("firstbad: {}\n", notice)));
        });
    return &*m_client;
}

void ReplaySession::keep(
    std::string_view kind, const std::string& resultJson, Answer& answer, core::JobContext& job)
{
    const auto kept = keepEvidence(m_capsule, kind, resultJson, *m_environment, job);
    if (!kept)
        answer.diagnostics.push_back({core::Severity::Warning, "not-kept",
            fmt::format("The result is not kept in the case: {}", kept.error().message),
            {m_capsule.shownPath, {}, {}}});
    else
        answer.diagnostics.insert(answer.diagnostics.end(), kept->begin(), kept->end());
}

core::Result<Answer> ReplaySession::failed(
    std::string_view kind, const core::Error& error, core::JobContext& job)
{
    const bool proved = m_client
        && (m_client->partial().firstBad || !m_client->partial().steps.empty()
            || m_client->partial().lanes.forward);
    if (proved) {
        Answer ignored;
        core::JobContext
            uncancelled;  // the job may be cancelled; what is proven is kept all the same
        keep(fmt::format("{}-partial", kind), core::replayResultJson(m_client->partial()), ignored,
            uncancelled);
    }
    if (!isAboutCapsule(error.code) || job.cancelled())
        return tl::unexpected(error);
    Answer answer;
    answer.resultJson = "null";
    answer.diagnostics.push_back(
        {core::Severity::Error, "cannot-run", error.message, {m_capsule.shownPath, {}, {}}});
    answer.status = ExitStatus::Damaged;
    return answer;
}

core::Result<Answer> withWorker(const std::string& capsule, const Environment& environment,
    core::JobContext& job,
    const std::function<core::Result<Answer>(ReplaySession&, core::ReplayClient&)>& ask)
{
    auto opened = ReplaySession::open(capsule, environment, job);
    if (!opened)
        return tl::unexpected(std::move(opened.error()));
    if (auto* refused = std::get_if<Answer>(&*opened))
        return std::move(*refused);
    auto& session = std::get<ReplaySession>(*opened);
    const auto worker = session.worker(job);
    if (!worker)
        return tl::unexpected(worker.error());
    return ask(session, **worker);
}

}  // namespace firstbad::cli
