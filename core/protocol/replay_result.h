// SPDX-License-Identifier: GPL-3.0-or-later
// What the worker finds out about one step: cells of lanes, first bad places, fidelity, cost.
//
// Plain values shared by the worker, the terminal, the workbench and the case. The codecs beside
// this file are the only ones. A worker sends meaning; front ends choose words and colours.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace firstbad::core {

enum class CellState : std::uint8_t { NotLookedAt, Finite, Inf, NaN, Both };

/// "not_looked_at", "finite", "inf", "nan", "both".
[[nodiscard]] std::string_view toString(CellState state) noexcept;

/// Statistics of one tensor at one boundary. Counts are of elements; maxAbs is over finite ones.
struct ReplayCell {
    std::string tensor;  ///< parameter name in the lanes grad .. param; empty elsewhere
    std::int64_t microStep = 0;
    std::int64_t block = 0;  ///< -1 the embedding, N the head
    std::string op;  ///< short name in its block
    CellState state = CellState::NotLookedAt;
    std::uint64_t nan = 0;
    std::uint64_t posInf = 0;
    std::uint64_t negInf = 0;
    double maxAbs = 0.0;
    bool masked = false;  ///< non-finite by design: a masked score
};

/// One operand of the element that went bad: what was multiplied or added, with its values.
struct ReplayOperand {
    std::string name;  ///< "query row", "key row", "exact product"
    std::vector<std::int64_t> index;
    std::vector<double> values;  ///< at most 64
    std::string note;
};

struct ReplayPlace {
    std::string lane;
    std::int64_t block = 0;
    std::string op;
    std::string locus;  ///< full name
    std::string tensor;  ///< "output", a weight, or the parameter
    std::string kind;  ///< "NaN", "Infinity", "-Infinity", "out-of-range"
    std::vector<std::int64_t> elementIndex;
    std::int64_t microStep = 0;
    bool inputsFinite = true;
    bool weightsFinite = true;
    std::vector<ReplayOperand> operands;
};

/// Weights or moments that were already bad when the step began.
struct ReplayEntryBad {
    std::string tensor;
    std::string lane;  ///< param or optimizer
    std::uint64_t nan = 0;
    std::uint64_t posInf = 0;
    std::uint64_t negInf = 0;
    std::vector<std::int64_t> firstIndex;
};

/// row-collapsed, norm-overflow, near-limit.
struct ReplayFinding {
    std::string code;
    std::string severity;
    std::string lane;
    std::int64_t block = 0;
    std::string op;
    std::optional<std::int64_t> row;
    std::optional<std::int64_t> index;
    std::optional<double> value;
    std::optional<double> limit;
    std::string text;
};

/// One line of the certificate: was `what` the same as in the training?
struct FidelityItem {
    std::string what;  ///< weights, batch, precision, attention, dropout, rng, device, ...
    std::string state;  ///< same, emulated, different, unknown, not-reproducible, off
    std::string detail;
};

struct ProbeStep {
    std::string probe;  ///< locus that was looked at
    std::string result;  ///< good, bad, skip
    std::int64_t evaluatedBlocks = 0;
    std::string evidence;
};

struct ReplayCost {
    double forwardEquivalents = 0.0;
    double seconds = 0.0;
};

/// Lanes by name; a lane that the step never reached is absent.
struct ReplayLanes {
    std::optional<std::vector<ReplayCell>> forward;
    std::optional<std::vector<ReplayCell>> backward;
    std::optional<std::vector<ReplayCell>> grad;
    std::optional<std::vector<ReplayCell>> reduced;
    std::optional<std::vector<ReplayCell>> clipped;
    std::optional<std::vector<ReplayCell>> optimizer;
    std::optional<std::vector<ReplayCell>> param;
};

/// Result of replay, sweep and bisect.
struct ReplayResult {
    std::string capsule;
    std::string device;
    std::string precision;
    std::vector<FidelityItem> fidelity;
    std::string reproduced;  ///< yes, no, different
    std::string transience;  ///< with --times: persistent, transient; else empty
    std::int64_t blocks = 0;  ///< N of the model
    std::optional<double> loss;
    std::optional<double> gradNorm;
    std::optional<bool> foundInf;
    bool skipped = false;
    ReplayLanes lanes;
    std::optional<ReplayPlace> firstBad;
    std::optional<ReplayPlace> firstNan;
    std::vector<ReplayEntryBad> entryBad;
    std::vector<ReplayFinding> findings;
    std::vector<ProbeStep> steps;
    std::string
        verdictKind;  ///< nonfinite-loss, nonfinite-grad, norm-overflow, poisoned-state, none
    std::string verdictClass;  ///< fault, benign, unknown
    std::string verdictWhy;  ///< one sentence
    ReplayCost cost;
};

struct MatrixCell {
    std::string vary;  ///< precision, loss_scale, attention, dropout
    std::string precision;
    std::string value;
    bool fails = false;
    std::string reproduced;
    std::optional<ReplayPlace> firstBad;
    std::optional<ReplayPlace> firstNan;
    std::optional<double> loss;
};

struct MatrixResult {
    std::vector<MatrixCell> cells;
    std::optional<std::vector<std::int64_t>> fp32Blocks;  ///< smallest set of blocks
    bool fp32BlocksUnique = true;
};

struct IsolateResult {
    std::vector<std::vector<std::int64_t>> minimalSets;  ///< of rows
    bool unique = true;
    std::map<std::int64_t, std::optional<ReplayPlace>> alone;  ///< each row by itself
    std::optional<std::vector<std::int64_t>> tokens;  ///< positions within the first minimal set
    std::vector<std::string> sampleIds;  ///< of the first minimal set, as spelled in the capsule
};

}  // namespace firstbad::core
