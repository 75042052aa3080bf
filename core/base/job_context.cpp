// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/job_context.h"

namespace firstbad::core {

void ProgressSink::setStage(const char* stage, std::uint64_t total) noexcept
{
    m_done.store(0, std::memory_order_relaxed);
    m_total.store(total, std::memory_order_relaxed);
    m_stage.store(stage, std::memory_order_relaxed);
}

tl::unexpected<Error> JobContext::cancelledError()
{
    return fail(ErrorCode::Cancelled, "Cancelled.");
}

}  // namespace firstbad::core
