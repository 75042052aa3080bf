// SPDX-License-Identifier: GPL-3.0-or-later
// Identities that must not be mixed up: each is its own type. Plain values, no cost, any thread.
#pragma once

#include <cstdint>
#include <string>

namespace firstbad::core {

/// A step number as the source logged it. Identity only together with an attempt.
struct StepIndex {
    std::int64_t value = 0;
    bool operator==(const StepIndex&) const = default;
    auto operator<=>(const StepIndex&) const = default;
};

/// A transformer block: -1 embedding, 0..N-1 blocks, N head.
struct BlockIndex {
    std::int32_t value = 0;
    bool operator==(const BlockIndex&) const = default;
    auto operator<=>(const BlockIndex&) const = default;
};

/// A process of the training.
struct RankId {
    std::int32_t value = 0;
    bool operator==(const RankId&) const = default;
    auto operator<=>(const RankId&) const = default;
};

/// One training as its owner sees it.
struct RunId {
    std::string value;
    bool operator==(const RunId&) const = default;
    auto operator<=>(const RunId&) const = default;
};

/// One unbroken stretch of a run; unique within the run ("1", "2", ... unless the source names it).
struct AttemptId {
    std::string value;
    bool operator==(const AttemptId&) const = default;
    auto operator<=>(const AttemptId&) const = default;
};

}  // namespace firstbad::core
