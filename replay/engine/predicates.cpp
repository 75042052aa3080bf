// SPDX-License-Identifier: GPL-3.0-or-later
#include "replay/engine/predicates.h"

#include <array>
#include <fmt/format.h>

namespace firstbad::replay {

namespace {

struct PredicateRow {
    std::string_view name;
    double defaultLimit;  ///< share of the type's range, relative error, factor
};

constexpr std::array<PredicateRow, 4> kPredicates{{
    {"nonfinite", 0.0},
    {"overflow-risk", 0.5},
    {"diverges", 0.05},
    {"grows", 10.0},
}};

std::string keyOf(std::string_view lane, std::int64_t micro, std::int64_t block,
    std::string_view op, std::string_view tensor)
{
    return fmt::format("{}/{}/{}/{}/{}", lane, micro, block, op, tensor);
}

std::string keyOf(const TraceCell& cell)
{
    return keyOf(
        toString(cell.lane), cell.cell.microStep, cell.cell.block, cell.cell.op, cell.cell.tensor);
}

/// Relative l2 distance; infinite where only one of the two is finite.
double relativeError(const Tensor& value, const Tensor& reference)
{
    if (value.sizes() != reference.sizes())
        return 0.0;
    const Tensor wide = value.to(at::kDouble);
    const Tensor exact = reference.to(at::kDouble);
    const auto norm = exact.norm().item<double>();
    const auto distance = (wide - exact).norm().item<double>();
    if (!core::isFinite(distance))
        return core::isFinite(norm) ? std::numeric_limits<double>::infinity() : 0.0;
    return norm > 0.0 ? distance / norm : distance;
}

/// Largest finite values of every cell of another capsule's run.
core::Result<std::map<std::string, double>> baselineOf(
    const core::ReplayRequest& request, core::JobContext& job)
{
    const auto capsule = core::readCapsule(request.baseline, request.baseline);
    if (!capsule)
        return tl::unexpected(capsule.error());
    auto context = openContext(*capsule, 0, job);
    if (!context)
        return tl::unexpected(context.error());
    Variation variation;
    variation.precision = request.precision;
    auto plan = planOf(*context, variation);
    if (!plan)
        return tl::unexpected(plan.error());
    const auto record = runStep(*context, std::move(*plan), {}, job);
    if (!record)
        return tl::unexpected(record.error());
    std::map<std::string, double> out;
    for (const auto& cell : record->trace.cells())
        out.emplace(keyOf(cell), cell.cell.maxAbs);
    return out;
}

}  // namespace

core::Result<Predicate> Predicate::make(
    ReplayEngine::Parts& parts, const core::ReplayRequest& request, core::JobContext& job)
{
    Predicate out;
    out.m_kind = request.when;
    const auto* row = std::find_if(kPredicates.begin(), kPredicates.end(),
        [&](const PredicateRow& known) { return known.name == request.when; });
    if (row == kPredicates.end())
        return core::fail(core::ErrorCode::InvalidArgument,
            fmt::format("The predicate \"{}\" is unknown.", request.when));
    out.m_limit = request.limit.value_or(row->defaultLimit);
    if (request.when == "grows") {
        auto baseline = baselineOf(request, job);
        if (!baseline)
            return tl::unexpected(baseline.error());
        out.m_baseline = std::move(*baseline);
    }
    if (request.when != "diverges")
        return out;
    Variation exact = variationOf(request);
    exact.precision = "fp64";
    RunOptions options;
    options.sink = [&out](const TracePoint& point, const Tensor& tensor) {
        out.m_reference.emplace(
            keyOf(toString(point.lane), point.microStep, point.block, point.op, point.tensor),
            tensor);
    };
    const auto record = parts.run(exact, options, job);
    if (!record)
        return tl::unexpected(record.error());
    return out;
}

void Predicate::see(const TracePoint& point, const Tensor& tensor)
{
    if (m_reference.empty())
        return;
    const auto found = m_reference.find(
        keyOf(toString(point.lane), point.microStep, point.block, point.op, point.tensor));
    m_errors.push_back(found == m_reference.end() ? 0.0 : relativeError(tensor, found->second));
}

bool Predicate::holds(const TraceCell& cell, std::size_t index) const
{
    if (cell.bad() || m_kind == "nonfinite")
        return cell.bad();
    if (m_kind == "overflow-risk")
        return (isHalf(cell.type) || cell.type == at::kFloat)
            && cell.cell.maxAbs >= m_limit * largestOf(cell.type);
    if (m_kind == "diverges")
        return index < m_errors.size() && !(m_errors[index] <= m_limit);
    const auto found = m_baseline.find(keyOf(cell));
    return found != m_baseline.end() && found->second > 0.0
        && cell.cell.maxAbs > m_limit * found->second;
}

std::optional<core::ReplayPlace> Predicate::first(
    ReplayContext& context, const StepRecord& record, const std::string& lane) const
{
    const bool whole = lane.empty() || lane == "input";
    if ((whole && !record.faults.empty()) || (lane.empty() && isNonfinite()))
        return firstBad(context, record);
    const auto& cells = record.trace.cells();
    for (std::size_t i = 0; i < cells.size(); ++i) {
        if ((lane.empty() || toString(cells[i].lane) == lane) && holds(cells[i], i)) {
            auto place = placeOf(context, record, cells[i]);
            if (!cells[i].bad())
                place.elementIndex.clear();
            return place;
        }
    }
    return std::nullopt;
}

}  // namespace firstbad::replay
