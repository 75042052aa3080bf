// SPDX-License-Identifier: GPL-3.0-or-later
// Any bytes as a line of the worker protocol, in both directions: a message or a sentence.
#include "core/base/assert.h"
#include "core/protocol/replay_codec.h"
#include "core/protocol/replay_request.h"
#include "core/protocol/worker_message.h"

namespace {

using namespace firstbad::core;

/// What is read must be writable, and read again to the same text.
void checkResult(const JsonValue& json)
{
    const auto result = parseReplayResult(json);
    if (!result)
        return;
    const std::string text = replayResultJson(*result);
    const auto again = parseJson(text);
    FB_ASSERT(again);
    const auto parsed = parseReplayResult(*again);
    FB_ASSERT(parsed && replayResultJson(*parsed) == text);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    const std::string_view line(reinterpret_cast<const char*>(data), size);
    const auto request = parseRequest(line);
    FB_ASSERT(request || !request.error().message.empty());
    static_cast<void>(parseReplayRequest(line));
    const auto said = parseWorkerLine(line);
    FB_ASSERT(said || !said.error().message.empty());
    ReplayAssembler assembler;
    if (const auto json = parseJson(line)) {
        static_cast<void>(assembler.addFinding(*json));
        static_cast<void>(assembler.finish(*json));
        static_cast<void>(parseMatrixResult(*json));
        static_cast<void>(parseIsolateResult(*json));
        static_cast<void>(parseProbeResult(*json));
        checkResult(*json);
    }
    return 0;
}
