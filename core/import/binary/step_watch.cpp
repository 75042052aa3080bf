// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/import/binary/step_watch.h"

#include <fmt/format.h>

namespace firstbad::core {
namespace {

constexpr std::uint64_t kMaxCertain = 4096;  // more: the file is unsorted, not restarted

}  // namespace

void StepWatch::goneBack(
    std::int64_t from, std::int64_t to, double time, bool certain, RecordSink& sink)
{
    std::string why = fmt::format("steps go back from {} to {}", from, to);
    if (certain && m_launch <= kMaxCertain)
        sink.addBreak(std::move(why), to, time);
    else
        sink.addPossibleBreak(std::move(why), to, time);
    restart();
}

}  // namespace firstbad::core
