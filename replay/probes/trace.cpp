// SPDX-License-Identifier: GPL-3.0-or-later
#include "replay/probes/trace.h"

#include <algorithm>

namespace firstbad::replay {

namespace {

core::CellState stateOf(const Statistics& statistics)
{
    const bool infinite = statistics.posInf + statistics.negInf > 0;
    if (statistics.nan > 0)
        return infinite ? core::CellState::Both : core::CellState::NaN;
    return infinite ? core::CellState::Inf : core::CellState::Finite;
}

template <class T> std::span<const T> elements(const Tensor& tensor)
{
    return {
        static_cast<const T*>(tensor.const_data_ptr()), static_cast<std::size_t>(tensor.numel())};
}

}  // namespace

std::string_view toString(Lane lane) noexcept
{
    switch (lane) {
    case Lane::Input:
        return "input";
    case Lane::Forward:
        return "forward";
    case Lane::Backward:
        return "backward";
    case Lane::Grad:
        return "grad";
    case Lane::Clipped:
        return "clipped";
    case Lane::Optimizer:
        return "optimizer";
    case Lane::Param:
        return "param";
    }
    return "param";
}

std::vector<std::int64_t> TraceCell::firstIndex() const
{
    std::vector<std::int64_t> index(shape.size());
    auto rest = static_cast<std::int64_t>(statistics.firstBad);
    for (std::size_t d = shape.size(); d-- > 0;) {
        index[d] = shape[d] > 0 ? rest % shape[d] : 0;
        rest = shape[d] > 0 ? rest / shape[d] : 0;
    }
    return index;
}

Statistics statisticsOf(const Tensor& tensor)
{
    const Tensor flat = tensor.contiguous();
    switch (flat.scalar_type()) {
    case at::kFloat:
        return statisticsOf(elements<float>(flat));
    case at::kDouble:
        return statisticsOf(elements<double>(flat));
    case at::kHalf:
        return statisticsOfHalf(elements<std::uint16_t>(flat), HalfKind::Fp16);
    case at::kBFloat16:
        return statisticsOfHalf(elements<std::uint16_t>(flat), HalfKind::Bf16);
    default:
        break;
    }
    return at::isFloatingType(flat.scalar_type()) ? statisticsOf(flat.to(at::kFloat))
                                                  : Statistics();
}

namespace {

template <class Bits> bool rowIsZero(const Bits* bits, std::int64_t width)
{
    // The sign of a zero does not count.
    return std::all_of(
        bits, bits + width, [](Bits value) { return static_cast<Bits>(value << 1U) == 0; });
}

template <class Bits> bool rowIsConstant(const Bits* bits, std::int64_t width)
{
    return std::all_of(bits, bits + width, [first = *bits](Bits value) { return value == first; });
}

template <class Bits>
std::optional<std::int64_t> collapsedRow(const Tensor& input, const Tensor& output, bool centres)
{
    const auto width = output.size(-1);
    const auto* in = static_cast<const Bits*>(input.const_data_ptr());
    const auto* out = static_cast<const Bits*>(output.const_data_ptr());
    const auto rows = width == 0 ? 0 : output.numel() / width;
    for (std::int64_t row = 0; row < rows; ++row) {
        if (!rowIsZero(out + row * width, width))
            continue;
        const auto* from = in + row * width;
        if (!rowIsZero(from, width) && !(centres && rowIsConstant(from, width)))
            return row;
    }
    return std::nullopt;
}

}  // namespace

std::optional<std::int64_t> collapsedRow(const Tensor& input, const Tensor& output, bool centres)
{
    const Tensor out = output.contiguous();
    const Tensor in = input.to(out.scalar_type()).contiguous();
    switch (out.element_size()) {
    case 2:
        return collapsedRow<std::uint16_t>(in, out, centres);
    case 4:
        return collapsedRow<std::uint32_t>(in, out, centres);
    default:
        return collapsedRow<std::uint64_t>(in, out, centres);
    }
}

void Trace::keepRecent(const TracePoint& point, const Tensor& tensor, bool bad)
{
    if (point.lane != Lane::Forward || !m_atFirstBad.empty())
        return;
    if (point.block != m_recentBlock) {
        m_recent.clear();
        m_recent["<"] = m_lastOutput;
        m_recentBlock = point.block;
    }
    m_recent[std::string(point.op)] = tensor;
    m_lastOutput = tensor;
    if (bad)
        m_atFirstBad = std::move(m_recent);
}

void Trace::see(const TracePoint& point, const Tensor& tensor)
{
    if (!m_enabled)
        return;
    TraceCell seen;
    seen.lane = point.lane;
    seen.cell.tensor = point.tensor;
    seen.cell.microStep = point.microStep;
    seen.cell.block = point.block;
    seen.cell.op = point.op;
    seen.shape = tensor.sizes().vec();
    seen.type = tensor.scalar_type();
    seen.statistics = statisticsOf(tensor);
    seen.cell.state = stateOf(seen.statistics);
    seen.cell.nan = seen.statistics.nan;
    seen.cell.posInf = seen.statistics.posInf;
    seen.cell.negInf = seen.statistics.negInf;
    seen.cell.maxAbs = seen.statistics.maxAbs;
    keepRecent(point, tensor, seen.bad());
    m_cells.push_back(std::move(seen));
    if (m_sink)
        m_sink(point, tensor);
}

void Trace::markCollapsed(const std::optional<std::int64_t>& row)
{
    if (!m_cells.empty() && row)
        m_cells.back().collapsedRow = row;
}

const TraceCell* Trace::find(
    Lane lane, std::int64_t microStep, std::int64_t block, std::string_view op) const
{
    for (const auto& seen : m_cells) {
        if (seen.lane == lane && seen.cell.microStep == microStep && seen.cell.block == block
            && seen.cell.op == op)
            return &seen;
    }
    return nullptr;
}

}  // namespace firstbad::replay
