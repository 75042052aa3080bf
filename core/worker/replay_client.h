// SPDX-License-Identifier: GPL-3.0-or-later
// ReplayClient: asks a worker for replay results and reads its answers through their codec.
//
// One thread. Keeps what was proven when a worker dies half-way: partial() and findings().
#pragma once

#include "core/base/job_context.h"
#include "core/base/result.h"
#include "core/protocol/replay_codec.h"
#include "core/protocol/replay_request.h"
#include "core/worker/worker_client.h"

#include <functional>
#include <string>
#include <string_view>

namespace firstbad::core {

class ReplayClient
{
public:
    /// Finds, starts and greets a worker of this machine.
    [[nodiscard]] static Result<ReplayClient> start(JobContext& job);
    explicit ReplayClient(WorkerClient client)
        : m_client(std::move(client))
    { }

    [[nodiscard]] const WorkerHello& hello() const noexcept { return m_client.hello(); }

    /// Methods replay, sweep and bisect.
    [[nodiscard]] Result<ReplayResult> run(
        std::string_view method, const ReplayRequest& request, JobContext& job);
    [[nodiscard]] Result<MatrixResult> matrix(const ReplayRequest& request, JobContext& job);
    [[nodiscard]] Result<IsolateResult> isolate(const ReplayRequest& request, JobContext& job);
    [[nodiscard]] Result<ProbeResult> probe(const ReplayRequest& request, JobContext& job);

    /// What the last request proved before it failed.
    [[nodiscard]] const ReplayResult& partial() const noexcept { return m_partial; }
    /// Told when a worker is silent for long, with a sentence.
    void onNotice(std::function<void(const std::string&)> notice) { m_notice = std::move(notice); }

private:
    [[nodiscard]] Result<JsonValue> ask(std::string_view method, const ReplayRequest& request,
        ReplayAssembler& assembler, JobContext& job);

    WorkerClient m_client;
    ReplayResult m_partial;
    std::function<void(const std::string&)> m_notice;
};

}  // namespace firstbad::core
