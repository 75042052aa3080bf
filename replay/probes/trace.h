// SPDX-License-Identifier: GPL-3.0-or-later
// Trace: what a run saw at every boundary, in the order in which it happened.
//
// One run, one thread. Tensors are read once for their statistics and not kept; a sink that is set
// sees each of them (--dump, baselines, windows).
#pragma once

#include "core/protocol/replay_result.h"
#include "replay/precision/block_types.h"
#include "replay/probes/statistics.h"

#include <functional>
#include <map>
#include <string>
#include <vector>

namespace firstbad::replay {

enum class Lane : std::uint8_t { Input, Forward, Backward, Grad, Clipped, Optimizer, Param };

[[nodiscard]] std::string_view toString(Lane lane) noexcept;

struct TraceCell {
    Lane lane = Lane::Forward;
    core::ReplayCell cell;
    std::vector<std::int64_t> shape;
    Statistics statistics;
    NumberType type = at::kFloat;
    std::optional<std::int64_t> collapsedRow;  ///< a norm made exact zeros of a row that had none

    [[nodiscard]] bool bad() const noexcept { return !statistics.finite(); }
    /// The first bad place in row-major order.
    [[nodiscard]] std::vector<std::int64_t> firstIndex() const;
};

/// Where a tensor was seen.
struct TracePoint {
    Lane lane = Lane::Forward;
    std::int64_t microStep = 0;
    std::int64_t block = 0;
    std::string_view op;
    std::string_view tensor;  ///< parameter name, empty for the output of an op
};

[[nodiscard]] Statistics statisticsOf(const Tensor& tensor);

/// The first row (of the last dimension, counted through the others) that is exactly zero in
/// `output` and is not in `input`: a norm that lost it. Stops at the first element of most rows.
/// With `centres`, rows of equal elements are rightly zero and do not count.
[[nodiscard]] std::optional<std::int64_t> collapsedRow(
    const Tensor& input, const Tensor& output, bool centres);

class Trace
{
public:
    using Sink = std::function<void(const TracePoint& point, const Tensor& tensor)>;

    Trace() = default;
    explicit Trace(Sink sink)
        : m_sink(std::move(sink))
    { }

    /// Nothing is looked at while off: what a plain run costs.
    void setEnabled(bool enabled) noexcept { m_enabled = enabled; }

    void see(const TracePoint& point, const Tensor& tensor);
    /// Remarks on the cell that was seen last.
    void markCollapsed(const std::optional<std::int64_t>& row);
    [[nodiscard]] bool enabled() const noexcept { return m_enabled; }

    /// Outputs of the block, and its input "<", as they were when the first bad forward cell was
    /// seen. References, not copies.
    [[nodiscard]] const std::map<std::string, Tensor, std::less<>>& atFirstBad() const noexcept
    {
        return m_atFirstBad;
    }

    [[nodiscard]] const std::vector<TraceCell>& cells() const noexcept { return m_cells; }
    [[nodiscard]] const TraceCell* find(
        Lane lane, std::int64_t microStep, std::int64_t block, std::string_view op) const;

private:
    void keepRecent(const TracePoint& point, const Tensor& tensor, bool bad);

    std::vector<TraceCell> m_cells;
    std::map<std::string, Tensor, std::less<>> m_recent;  // of the block that runs
    std::map<std::string, Tensor, std::less<>> m_atFirstBad;
    std::int64_t m_recentBlock = -2;
    Tensor m_lastOutput;
    Sink m_sink;
    bool m_enabled = true;
};

}  // namespace firstbad::replay
