// SPDX-License-Identifier: GPL-3.0-or-later
// Places of a record: what flowed into a cell, which weights it read, and what it is called.
#include "replay/engine/operands.h"
#include "replay/engine/record.h"

#include <algorithm>
#include <fmt/format.h>

namespace firstbad::replay {

namespace {

/// One op of one block.
struct OpAt {
    std::int64_t block;
    std::string_view op;
};

class PlaceFinder
{
public:
    PlaceFinder(ReplayContext& context, const StepRecord& record)
        : m_model(*context.model)
        , m_state(context.state)
        , m_record(record)
    { }

    [[nodiscard]] bool inputsFinite(const TraceCell& cell) const
    {
        switch (cell.lane) {
        case Lane::Forward:
            return readsFinite(cell);
        case Lane::Backward:
            return inflowFinite(cell);
        case Lane::Grad:
            return readsFinite(cell) && cellFinite(Lane::Backward, cell, cell.cell.op);
        case Lane::Clipped:
            return cell.cell.op == "norm" || paramFinite(Lane::Grad, cell, cell.cell.op);
        case Lane::Optimizer:
            return momentInputsFinite(cell);
        case Lane::Param:
            return paramFinite(Lane::Optimizer, cell, "update")
                && stateFinite("master", ownName(cell));
        case Lane::Input:
            break;
        }
        return true;
    }

    /// The first non-finite weight an op reads; empty when all are finite.
    [[nodiscard]] std::string badWeight(const TraceCell& cell) const
    {
        for (const auto index : m_model.paramsRead(cell.cell.block, cell.cell.op)) {
            if (!castFinite(index) && !(cell.cell.op == "embedding" && !readsBadRow(index, cell)))
                return m_model.params()[index].name;
        }
        return {};
    }

    [[nodiscard]] bool weightsFinite(const TraceCell& cell) const
    {
        if (cell.lane == Lane::Backward) {
            const auto readers = consumers(cell);
            return std::all_of(readers.begin(), readers.end(),
                [this](const OpAt& at) { return weightsOfFinite(at.block, at.op); });
        }
        if (cell.lane == Lane::Forward || cell.lane == Lane::Grad)
            return weightsOfFinite(cell.cell.block, cell.cell.op);
        for (std::size_t i = 0; i < m_model.params().size(); ++i) {
            if (m_model.params()[i].name == ownName(cell))
                return castFinite(i);
        }
        return true;
    }

private:
    static std::string ownName(const TraceCell& cell)
    {
        constexpr std::string_view kMaster = "master/";
        const std::string& name = cell.cell.tensor;
        return name.starts_with(kMaster) ? name.substr(kMaster.size()) : name;
    }

    [[nodiscard]] bool cellFinite(Lane lane, const TraceCell& near, std::string_view op) const
    {
        return opFinite(lane, near.cell.microStep, {near.cell.block, op});
    }

    [[nodiscard]] bool opFinite(Lane lane, std::int64_t microStep, const OpAt& at) const
    {
        const auto* cell = m_record.trace.find(lane, microStep, at.block, at.op);
        return cell == nullptr || !cell->bad();
    }

    [[nodiscard]] bool paramFinite(Lane lane, const TraceCell& near, std::string_view op) const
    {
        const std::string name = ownName(near);
        const auto& cells = m_record.trace.cells();
        return std::none_of(cells.begin(), cells.end(), [&](const TraceCell& cell) {
            return cell.lane == lane && cell.bad() && cell.cell.tensor == name
                && (lane == Lane::Grad || cell.cell.op == op);
        });
    }

    [[nodiscard]] bool stateFinite(const std::string& group, const std::string& param) const
    {
        const Tensor tensor = m_state.find(group, param);
        return !tensor.defined() || statisticsOf(tensor).finite();
    }

    [[nodiscard]] bool momentInputsFinite(const TraceCell& cell) const
    {
        const std::string name = ownName(cell);
        if (!paramFinite(Lane::Clipped, cell, opOf(name)))
            return false;
        if (cell.cell.op != "update")
            return stateFinite(cell.cell.op, name);
        return paramFinite(Lane::Optimizer, cell, "exp_avg")
            && paramFinite(Lane::Optimizer, cell, "exp_avg_sq");
    }

    [[nodiscard]] std::string opOf(const std::string& param) const
    {
        for (const auto& known : m_model.params()) {
            if (known.name == param)
                return known.spec.op;
        }
        return {};
    }

    /// The op whose output a block starts from.
    [[nodiscard]] OpAt before(std::int64_t block) const
    {
        return {block - 1, opsOf(m_model.family(), m_model.shape(), block - 1).back().name};
    }

    [[nodiscard]] const OpSpec* specOf(std::int64_t block, std::string_view op) const
    {
        const auto ops = opsOf(m_model.family(), m_model.shape(), block);
        const auto found = std::find_if(
            ops.begin(), ops.end(), [op](const OpSpec& spec) { return spec.name == op; });
        return found == ops.end() ? nullptr : &*found;
    }

    [[nodiscard]] bool readsFinite(const TraceCell& cell) const
    {
        const auto* spec = specOf(cell.cell.block, cell.cell.op);
        if (spec == nullptr)
            return true;
        return std::all_of(spec->reads.begin(), spec->reads.end(), [&](std::string_view read) {
            const OpAt at = read == "<" ? before(cell.cell.block) : OpAt{cell.cell.block, read};
            return opFinite(Lane::Forward, cell.cell.microStep, at);
        });
    }

    /// Ops that read the output of a cell's op.
    [[nodiscard]] std::vector<OpAt> consumers(const TraceCell& cell) const
    {
        const auto block = cell.cell.block;
        const auto ops = opsOf(m_model.family(), m_model.shape(), block);
        const bool last = ops.back().name == cell.cell.op;
        const auto readerBlock = last ? block + 1 : block;
        if (readerBlock > m_model.shape().blocks)
            return {};
        const std::string_view wanted = last ? "<" : std::string_view(cell.cell.op);
        std::vector<OpAt> out;
        for (const auto& spec : opsOf(m_model.family(), m_model.shape(), readerBlock)) {
            if (std::find(spec.reads.begin(), spec.reads.end(), wanted) != spec.reads.end())
                out.push_back({readerBlock, spec.name});
        }
        return out;
    }

    [[nodiscard]] bool inflowFinite(const TraceCell& cell) const
    {
        const auto micro = cell.cell.microStep;
        if (!cellFinite(Lane::Forward, cell, cell.cell.op))
            return false;
        const auto readers = consumers(cell);
        return std::all_of(readers.begin(), readers.end(), [&](const OpAt& at) {
            return opFinite(Lane::Backward, micro, at) && opFinite(Lane::Forward, micro, at);
        });
    }

    /// A weight as the run sees it: after the cast to the parameter type.
    [[nodiscard]] bool castFinite(std::size_t index) const
    {
        const auto tensor = m_model.stored(index);
        if (!tensor)
            return true;
        const auto types = m_record.plan.precision.typesOf(m_model.params()[index].block);
        return statisticsOf(stored(*tensor, types.param)).finite();
    }

    [[nodiscard]] bool weightsOfFinite(std::int64_t block, std::string_view op) const
    {
        const auto read = m_model.paramsRead(block, op);
        return std::all_of(
            read.begin(), read.end(), [this](std::size_t index) { return castFinite(index); });
    }

    /// Whether a lookup of this micro-step met a bad row of a table.
    [[nodiscard]] bool readsBadRow(std::size_t index, const TraceCell& cell) const
    {
        const auto& batch = m_record.plan.batches[static_cast<std::size_t>(cell.cell.microStep)];
        const bool tokens = m_model.params()[index].spec.key == "wte";
        if (tokens && batch.embeds.defined())
            return false;
        const auto tensor = m_model.stored(index);
        if (!tensor)
            return false;
        const auto types = m_record.plan.precision.typesOf(-1);
        const Tensor rows = at::embedding(*tensor, tokens ? batch.ids : batch.positions);
        return !statisticsOf(stored(rows, types.param)).finite();
    }

    Model& m_model;
    const OptimizerState& m_state;
    const StepRecord& m_record;
};

core::ReplayPlace inputPlace(std::int64_t microStep, const InputFault& fault)
{
    core::ReplayPlace place;
    place.lane = "input";
    place.tensor = fault.tensor;
    place.kind = fault.kind;
    place.elementIndex = fault.index;
    place.microStep = microStep;
    return place;
}

}  // namespace

core::ReplayPlace placeOf(ReplayContext& context, const StepRecord& record, const TraceCell& cell)
{
    const PlaceFinder find(context, record);
    core::ReplayPlace place;
    place.lane = toString(cell.lane);
    place.block = cell.cell.block;
    place.op = cell.cell.op;
    place.tensor = cell.cell.tensor;
    place.microStep = cell.cell.microStep;
    place.kind = core::toString(cell.statistics.firstKind);
    place.elementIndex = cell.firstIndex();
    place.inputsFinite = find.inputsFinite(cell);
    place.weightsFinite = find.weightsFinite(cell);
    if (cell.lane == Lane::Forward || cell.lane == Lane::Backward) {
        place.locus = locusOf(context.model->shape(), place.block, place.op);
        const std::string weight = cell.lane == Lane::Forward ? find.badWeight(cell) : "";
        place.tensor = weight.empty() ? "output" : weight;
    }
    return place;
}

std::optional<core::ReplayPlace> firstBad(ReplayContext& context, const StepRecord& record)
{
    if (!record.faults.empty())
        return inputPlace(record.faults.front().first, record.faults.front().second);
    const auto* cell = firstCell(record, [](const TraceCell& seen) { return seen.bad(); });
    if (cell == nullptr)
        return std::nullopt;
    auto place = placeOf(context, record, *cell);
    place.operands = operandsOf(context, record, *cell);
    return place;
}

std::optional<core::ReplayPlace> firstNan(ReplayContext& context, const StepRecord& record)
{
    for (const auto& [microStep, fault] : record.faults) {
        if (fault.kind == "NaN")
            return inputPlace(microStep, fault);
    }
    const auto* cell
        = firstCell(record, [](const TraceCell& seen) { return seen.statistics.nan > 0; });
    return cell == nullptr ? std::nullopt : std::optional(placeOf(context, record, *cell));
}

}  // namespace firstbad::replay
