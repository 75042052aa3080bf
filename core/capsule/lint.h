// SPDX-License-Identifier: GPL-3.0-or-later
// Lint: what is wrong with the input of a step before any of the model is computed.
//
// Pure functions over a capsule's files, any thread; tensors are read in order, in bounded memory.
// Cost: one pass over each batch tensor, and one hash of every file.
#pragma once

#include "core/base/diagnostics.h"
#include "core/base/job_context.h"
#include "core/capsule/capsule.h"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace firstbad::core {

inline constexpr std::size_t kMaxFindingsPerCode = 100;

/// One place. `row` and `index` are the first two dimensions; absent: the whole row or batch.
struct LintFinding {
    std::string code;
    Severity severity = Severity::Error;
    std::string tensor;  ///< of the batch, a weight, a member of the config, or a file
    std::optional<std::int64_t> row;
    std::optional<std::int64_t> index;
    std::optional<std::int64_t> microStep;
    std::optional<double> value;
    std::optional<double> limit;
    std::optional<std::uint64_t> count;
    std::string sampleId;
    std::string text;  ///< one sentence
    std::vector<std::int64_t> element;  ///< all dimensions, where one element is meant
};

struct LintReport {
    std::vector<LintFinding> findings;  ///< at most kMaxFindingsPerCode of one code
    std::map<std::string, std::uint64_t> counts;  ///< of all places, by code
    Diagnostics diagnostics;  ///< what could not be checked, and why

    [[nodiscard]] bool holdsError() const noexcept;
};

/// Problems are findings; an Error is only a cancelled job.
[[nodiscard]] Result<LintReport> lintCapsule(const Capsule& capsule, JobContext& job);

}  // namespace firstbad::core
