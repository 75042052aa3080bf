// SPDX-License-Identifier: GPL-3.0-or-later
// Bad events of an attempt: the steps on which anything was flagged, which of them is the first
// that no probing scaler explains, where it began and whom it reached.
//
// Partial order only: replicas (ranks of one dp_rank) are concurrent until the gradients are
// reduced; inside a replica the order is micro-step, stage, pipeline stage, block, op. Pure; linear
// in the flagged rows; any thread.
#pragma once

#include "core/ledger/ledger_group.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace firstbad::core {

enum class BadClass : std::uint8_t {
    Fault,
    Probe,  ///< a dynamic scaler skipped it on all ranks, and the updates after it are clean
    FlagOnly,  ///< flagged, but every loss and norm of it is finite and no rank names a bad value
};

/// One step with anything flagged.
struct BadEvent {
    std::int64_t step = 0;
    std::size_t flagged = 0;  ///< ranks
    std::size_t skipped = 0;  ///< ranks
    BadClass verdict = BadClass::Fault;
};

struct FirstBad {
    std::int64_t attempt = 0;
    std::int64_t step = 0;
    std::int64_t microStep = 0;
    std::optional<std::int32_t> rank;  ///< unknown when several ranks saw what the reduce made
    std::string stage;  ///< empty: no source names one
    std::optional<LedgerBad> evidence;  ///< the bad line
    std::string what;  ///< of the step line, when there is no bad line: "loss is NaN"
    std::string path;  ///< of the ledger that tells it
    std::uint64_t line = 0;
    bool isProbe = false;
    bool isFrozen = false;  ///< a bad line names it: first. Else only first seen

    /// -1 for an embedding, the number in the module's name, else nullopt.
    [[nodiscard]] std::optional<std::int64_t> block() const;
    [[nodiscard]] std::string lane() const;
};

struct BadEvents {
    std::vector<BadEvent> events;  ///< by step
    std::optional<FirstBad> first;
    std::vector<std::int32_t> origins;  ///< empty: the reduce made the value, or nobody knows
    std::vector<std::int32_t> victims;
    bool bornInReduce = false;
};

[[nodiscard]] BadEvents badEventsOf(const LedgerGroup& group);

/// Number of the block that a module name tells: "blocks.41.attn" gives 41.
[[nodiscard]] std::optional<std::int64_t> blockInModule(const std::string& module);

}  // namespace firstbad::core
