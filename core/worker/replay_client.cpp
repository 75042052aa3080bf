// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/worker/replay_client.h"

#include "core/worker/pipe_transport.h"
#include "core/worker/worker_location.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>

namespace firstbad::core {
namespace {

/// Stages that a worker names, as literals: progress displays keep the pointer.
constexpr std::array<const char*, 10> kStages{"loading", "hashing", "forward", "backward",
    "optimizer", "replay", "bisect", "matrix", "isolate", "writing"};

const char* literalOf(const std::string& stage)
{
    const auto* found = std::find(kStages.begin(), kStages.end(), stage);
    return found == kStages.end() ? "replaying" : *found;
}

/// Passes progress on to the job and findings to the assembler.
class Listener : public WorkerEvents
{
public:
    Listener(ReplayAssembler& assembler, JobContext& job,
        const std::function<void(const std::string&)>& notice)
        : m_assembler(assembler)
        , m_job(job)
        , m_notice(notice)
    { }

    void progress(const WorkerProgress& progress) override
    {
        const char* stage = literalOf(progress.stage);
        if (stage != m_stage || progress.total != m_total || progress.done < m_done) {
            m_stage = stage;
            m_total = progress.total;
            m_done = 0;
            m_job.setStage(stage, progress.total);
        }
        m_job.advance(progress.done - m_done);
        m_done = progress.done;
    }

    Result<void> finding(const JsonValue& finding) override
    {
        return m_assembler.addFinding(finding);
    }

    void silent(std::chrono::seconds since) override
    {
        if (m_notice)
            m_notice(fmt::format(
                "the worker has said nothing for {} s; it still runs (Ctrl-C gives it up)",
                since.count()));
    }

private:
    ReplayAssembler& m_assembler;
    JobContext& m_job;
    const std::function<void(const std::string&)>& m_notice;
    const char* m_stage = nullptr;
    std::uint64_t m_total = 0;
    std::uint64_t m_done = 0;
};

}  // namespace

Result<ReplayClient> ReplayClient::start(JobContext& job)
{
    const auto program = findWorker();
    if (!program)
        return tl::unexpected(program.error());
    auto transport = startProcess(*program);
    if (!transport)
        return tl::unexpected(std::move(transport.error()));
    auto client = WorkerClient::greet(std::move(*transport), job);
    if (!client)
        return tl::unexpected(std::move(client.error()));
    return ReplayClient(std::move(*client));
}

Result<JsonValue> ReplayClient::ask(std::string_view method, const ReplayRequest& request,
    ReplayAssembler& assembler, JobContext& job)
{
    Listener listener(assembler, job, m_notice);
    auto answer = m_client.request(method, encodeReplayRequest(request), listener, job);
    m_partial = assembler.partial();
    return answer;
}

Result<ReplayResult> ReplayClient::run(
    std::string_view method, const ReplayRequest& request, JobContext& job)
{
    ReplayAssembler assembler;
    const auto answer = ask(method, request, assembler, job);
    if (!answer)
        return tl::unexpected(answer.error());
    return assembler.finish(*answer);
}

Result<MatrixResult> ReplayClient::matrix(const ReplayRequest& request, JobContext& job)
{
    ReplayAssembler assembler;
    const auto answer = ask("matrix", request, assembler, job);
    return answer ? parseMatrixResult(*answer) : tl::unexpected(answer.error());
}

Result<IsolateResult> ReplayClient::isolate(const ReplayRequest& request, JobContext& job)
{
    ReplayAssembler assembler;
    const auto answer = ask("isolate", request, assembler, job);
    return answer ? parseIsolateResult(*answer) : tl::unexpected(answer.error());
}

Result<ProbeResult> ReplayClient::probe(const ReplayRequest& request, JobContext& job)
{
    ReplayAssembler assembler;
    const auto answer = ask("probe", request, assembler, job);
    return answer ? parseProbeResult(*answer) : tl::unexpected(answer.error());
}

}  // namespace firstbad::core
