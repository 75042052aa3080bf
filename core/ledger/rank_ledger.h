// SPDX-License-Identifier: GPL-3.0-or-later
// RankLedger: what one ledger file holds: one rank in one attempt, in compact columns.
//
// Immutable once read; any thread. About 30 bytes a step line (see CompactColumn), beside the few
// lines that are no steps.
#pragma once

#include "core/base/value_kind.h"
#include "core/ledger/compact_column.h"

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace firstbad::core {

/// The columns of step lines. Those from LossScale to Action have to be equal on all ranks.
enum class LedgerColumn : std::uint8_t {
    Step,
    MicroStep,
    Line,
    Loss,
    LocalBad,
    Stage,  ///< index into kLedgerStages
    AccumExpected,
    AccumUsed,
    AccumDivisor,
    LossScale,
    LossScaleAfter,
    LearningRate,
    TotalGradNorm,
    SkippedStep,
    GlobalBad,
    OptimizerSteps,
    ScheduleSteps,
    ConsumedSamples,
    ConsumedTokens,
    Action,  ///< of the step's decision line: index into kLedgerActions
};
inline constexpr std::size_t kLedgerColumns = 20;
inline constexpr auto kFirstShared = LedgerColumn::LossScale;

/// "loss_scale", "decision.action": the spelling in JSON.
[[nodiscard]] std::string_view toString(LedgerColumn column) noexcept;

/// Stages in the order of a step; see stageOrder().
inline constexpr std::array<std::string_view, 10> kLedgerStages{"input", "forward", "loss",
    "backward", "grad_local", "grad_reduced", "unscale", "clip", "optimizer", "param"};
inline constexpr std::array<std::string_view, 4> kLedgerActions{
    "update", "skip", "stop", "rollback"};

/// Place in kLedgerStages; nullopt for words that are no stage.
[[nodiscard]] std::optional<std::size_t> stageOrder(std::string_view stage) noexcept;
/// The lane that a stage belongs to (contracts.md 1).
[[nodiscard]] std::string laneOfStage(std::string_view stage);

struct LedgerHeader {
    std::string runId;
    std::int64_t attempt = 0;
    std::int32_t rank = 0;
    std::int32_t worldSize = 1;
    std::optional<std::int64_t> dpRank;
    std::optional<std::int64_t> tpRank;
    std::optional<std::int64_t> ppRank;
    /// Names that have to be equal on all ranks and matter across attempts: config_hash, ...
    std::vector<std::pair<std::string, std::string>> identity;
    std::string precision;
    std::string scalePolicy;  ///< its name; empty: no scaler
    std::string checkpointParent;
};

struct LedgerBad {
    std::int64_t step = 0;
    std::int64_t microStep = 0;
    std::string stage;
    std::string module;
    std::string paramGroup;
    std::string bucket;
    std::string tensor;
    KindCounts counts;
    std::optional<double> maxAbs;
    std::uint64_t line = 0;
};

struct LedgerDecision {
    std::int64_t step = 0;
    std::string action;
    std::string scope;
    std::string reason;
    std::uint64_t line = 0;
};

struct LedgerWait {
    std::int64_t step = 0;
    std::int64_t seq = 0;
    std::string op;
    bool isLast = false;  ///< nothing but notes and an end line follows
};

struct LedgerEnd {
    std::string how;
    std::string message;
    std::uint64_t line = 0;
};

struct LedgerDamage {
    std::string code;
    std::string reason;
    std::uint64_t line = 0;
    std::uint64_t offset = 0;
    std::uint64_t length = 0;
    bool mayBeGrowing = false;
};

/// Sample ids as they stand in the line, of rows that somebody may ask for.
struct LedgerSamples {
    std::size_t row = 0;
    std::string ids;
};

struct RankLedger {
    std::string path;  ///< as shown
    LedgerHeader header;
    std::array<CompactColumn, kLedgerColumns> columns;
    std::vector<std::uint64_t> sampleHashes;  ///< by row; empty when no line names samples
    std::vector<std::uint32_t> marked;  ///< rows on which anything is flagged or not finite
    std::vector<LedgerSamples> samples;  ///< first, last and marked rows, by row
    std::vector<LedgerBad> bads;  ///< in file order, at most 10,000
    std::vector<LedgerDecision> decisions;  ///< all but "update", and those that fit no row
    std::vector<std::int64_t> partialSkips;  ///< steps in which only some optimizers skipped
    std::optional<LedgerWait> wait;  ///< the last one
    std::optional<LedgerEnd> end;
    std::optional<std::uint64_t> brokenAt;  ///< line of the first break of the chain
    std::vector<LedgerDamage> damage;
    std::uint64_t lines = 0;
    std::uint64_t bytes = 0;

    [[nodiscard]] const CompactColumn& column(LedgerColumn which) const noexcept
    {
        return columns[static_cast<std::size_t>(which)];  // NOLINT: enumerators are indices
    }
    [[nodiscard]] CompactColumn& column(LedgerColumn which) noexcept
    {
        return columns[static_cast<std::size_t>(which)];  // NOLINT: enumerators are indices
    }
    [[nodiscard]] std::size_t rows() const noexcept { return column(LedgerColumn::Step).size(); }
    [[nodiscard]] std::optional<double> value(LedgerColumn which, std::size_t row) const noexcept
    {
        return column(which).at(row);
    }
    [[nodiscard]] std::int64_t step(std::size_t row) const noexcept;
    [[nodiscard]] std::int64_t microStep(std::size_t row) const noexcept;
    [[nodiscard]] const std::string* samplesOf(std::size_t row) const noexcept;
    [[nodiscard]] std::size_t memoryBytes() const noexcept;
};

using RankLedgerPtr = std::shared_ptr<const RankLedger>;

}  // namespace firstbad::core
