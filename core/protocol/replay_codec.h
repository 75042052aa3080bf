// SPDX-License-Identifier: GPL-3.0-or-later
// The JSON of what a worker finds (contracts.md 2): written for scripts and for the pipe, and read
// back. The same members in both places; only the cells of lanes travel apart on the pipe.
//
// Pure functions, any thread. A result on the pipe holds for each lane the number of its cells;
// the cells come before it as findings of at most kMaxCellsPerFinding. ReplayAssembler joins them.
#pragma once

#include "core/base/json_members.h"
#include "core/base/json_writer.h"
#include "core/base/result.h"
#include "core/protocol/replay_result.h"

#include <array>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace firstbad::core {

inline constexpr std::size_t kMaxCellsPerFinding = 1000;

using LaneCells = std::optional<std::vector<ReplayCell>> ReplayLanes::*;
struct LaneName {
    std::string_view name;
    LaneCells cells;
    bool ofParameters;  ///< cells name a parameter
};
/// forward, backward, grad, reduced, clipped, optimizer, param.
inline constexpr std::array<LaneName, 7> kReplayLanes{{
    {"forward", &ReplayLanes::forward, false},
    {"backward", &ReplayLanes::backward, false},
    {"grad", &ReplayLanes::grad, true},
    {"reduced", &ReplayLanes::reduced, true},
    {"clipped", &ReplayLanes::clipped, true},
    {"optimizer", &ReplayLanes::optimizer, true},
    {"param", &ReplayLanes::param, true},
}};

/// Writes the members of a result, cells included, into an object that is open.
void writeReplayMembers(JsonWriter& json, const ReplayResult& result);
[[nodiscard]] std::string replayResultJson(const ReplayResult& result);
[[nodiscard]] std::string matrixResultJson(const MatrixResult& result);
[[nodiscard]] std::string isolateResultJson(const IsolateResult& result);
/// A place or null.
void writePlace(JsonWriter& json, const std::optional<ReplayPlace>& place);

/// nullopt for null and for what is no place.
[[nodiscard]] std::optional<ReplayPlace> parsePlace(const JsonValue& json);

/// For the pipe: the findings that carry the cells of one lane, then the result without them.
[[nodiscard]] std::vector<std::string> cellFindings(
    std::string_view lane, const std::vector<ReplayCell>& cells);
[[nodiscard]] std::string replaySummaryJson(const ReplayResult& result);
/// For the pipe, as soon as they are known, so that what was proven outlives the worker.
[[nodiscard]] std::string firstBadFinding(const ReplayPlace& place);
[[nodiscard]] std::string probeFinding(const ProbeStep& step);
[[nodiscard]] std::string matrixCellFinding(const MatrixCell& cell);

/// Answer of the method `probe`: one boundary looked at.
struct ProbeResult {
    ProbeStep step;
    std::optional<ReplayCell> cell;
    std::optional<ReplayPlace> firstBad;  ///< first bad place at or before the boundary, if known
};
[[nodiscard]] std::string probeResultJson(const ProbeResult& result);
[[nodiscard]] Result<ProbeResult> parseProbeResult(const JsonValue& json);

/// Answer of the method `tensor`: where the window of values was written.
struct TensorWindow {
    std::string locus;
    std::string path;  ///< raw little-endian fp64, row-major
    std::vector<std::int64_t> begin;  ///< of the window in the tensor
    std::vector<std::int64_t> extent;
    std::vector<std::int64_t> shape;  ///< of the whole tensor
    std::string dtype;  ///< in which the step held it
    std::string sha256;
};
[[nodiscard]] std::string tensorWindowJson(const TensorWindow& window);
[[nodiscard]] Result<TensorWindow> parseTensorWindow(const JsonValue& json);

[[nodiscard]] Result<MatrixResult> parseMatrixResult(const JsonValue& json);
[[nodiscard]] Result<IsolateResult> parseIsolateResult(const JsonValue& json);
/// Reads a result with its cells, as stored in a case.
[[nodiscard]] Result<ReplayResult> parseReplayResult(const JsonValue& json);

/// Joins findings and summary of one request. Not thread-safe.
class ReplayAssembler
{
public:
    /// Takes one finding; unknown kinds are passed over. Malformed names what does not fit.
    [[nodiscard]] Result<void> addFinding(const JsonValue& finding);

    /// The result with all cells; Malformed when a lane has fewer or more than its summary says.
    [[nodiscard]] Result<ReplayResult> finish(const JsonValue& summary);

    /// What was proven so far, when no result will come.
    [[nodiscard]] const ReplayResult& partial() const noexcept { return m_partial; }

private:
    ReplayResult m_partial;
};

}  // namespace firstbad::core
