// SPDX-License-Identifier: GPL-3.0-or-later
// unpickle(): runs a pickle's opcodes into a PickleArena. It never imports, calls or resolves a
// name, so no pickle can make it do anything but describe.
//
// Pure function; time and memory are linear in the bytes. A damaged pickle gives what was built up
// to the damage and says where it stopped; no length in it is believed before it is compared with
// the bytes that remain.
#pragma once

#include "core/base/job_context.h"
#include "core/base/result.h"
#include "core/checkpoint/pickle/value.h"

#include <optional>
#include <string>
#include <vector>

namespace firstbad::core {

struct PickleLimits {
    std::size_t values = 32'000'000;  ///< nodes in the arena
    std::size_t integerBytes = 65536;  ///< of one big integer, decimal or binary
};

/// Why the machine stopped before STOP.
struct PickleProblem {
    std::string error;  ///< truncated, memo-miss, length-past-end, stack-underflow, ...
    std::uint64_t position = 0;  ///< of the opcode, from the first byte of the pickle
    std::string opcode;
    std::string text;  ///< one sentence
};

/// A call that a pickle asks for and that could run code. It was not made.
struct DangerousCall {
    std::string global;  ///< "os.system"
    std::uint64_t position = 0;
};

struct PickleDocument {
    PickleArena arena;
    PickleRef root = kNoValue;  ///< kNoValue only when not one value was built
    std::uint64_t end = 0;  ///< bytes used, STOP included
    int protocol = 0;
    std::optional<PickleProblem> problem;
    std::vector<DangerousCall> dangerous;
    /// Names (keys joined by dots) whose value was being built when the machine stopped.
    std::vector<std::string> lostKeys;
};

/// Reads one pickle at the start of `bytes`; more bytes may follow (`end` says where). Error only
/// when cancelled.
[[nodiscard]] Result<PickleDocument> unpickle(
    std::string bytes, JobContext& job, const PickleLimits& limits = {});

/// Python's repr of a value as it stands in a path: 2.5, True, (torch.float16, 'a'). Bounded.
[[nodiscard]] std::string pythonRepr(const PickleArena& arena, PickleRef ref);

}  // namespace firstbad::core
