// SPDX-License-Identifier: GPL-3.0-or-later
// Operands of the element that went bad: the numbers that met there, and their exact result.
#include "replay/engine/operands.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace firstbad::replay {

namespace {

constexpr std::int64_t kMostValues = 64;

using Index = std::vector<std::int64_t>;

Tensor at(Tensor tensor, const Index& index)
{
    for (const auto i : index)
        tensor = tensor.select(0, i);
    return tensor.to(at::kDouble).contiguous();
}

core::ReplayOperand operand(std::string name, Index index, const Tensor& values)
{
    core::ReplayOperand out;
    out.name = std::move(name);
    out.index = std::move(index);
    const Tensor flat = values.reshape({-1});
    const auto shown = std::min(flat.numel(), kMostValues);
    const auto* data = flat.const_data_ptr<double>();
    out.values.assign(data, data + shown);
    if (flat.numel() > shown)
        out.note = fmt::format("the first {} of {} values", shown, flat.numel());
    return out;
}

/// The exact value with what the type of the result makes of it.
core::ReplayOperand exact(const char* name, double value, NumberType type)
{
    core::ReplayOperand out;
    out.name = name;
    out.values = {value};
    const double limit = largestOf(type);
    if (core::isFinite(value) && std::abs(value) > limit)
        out.note = fmt::format("passes {}, the largest value of {}", limit, c10::toString(type));
    else if (core::isFinite(value))
        out.note = "in fp64";
    return out;
}

class OperandFinder
{
public:
    OperandFinder(ReplayContext& context, const StepRecord& record, const TraceCell& cell)
        : m_model(*context.model)
        , m_recent(record.trace.atFirstBad())
        , m_types(record.plan.precision.typesOf(cell.cell.block))
        , m_cell(cell)
        , m_op(cell.cell.op)
        , m_index(cell.firstIndex())
    { }

    [[nodiscard]] std::vector<core::ReplayOperand> find() const
    {
        if (m_op == "attn.scores")
            return scores();
        if (m_op == "mlp.act" || m_op.starts_with("residual"))
            return elements();
        if (m_op == "attn.softmax" || m_op.starts_with("ln_") || m_op.starts_with("norm_")
            || m_op == "final_norm")
            return row();
        return linearRow();
    }

private:
    [[nodiscard]] Tensor recent(std::string_view op) const
    {
        const auto found = m_recent.find(op);
        return found == m_recent.end() ? Tensor() : found->second;
    }

    [[nodiscard]] const OpSpec* spec() const
    {
        for (const auto& known : opsOf(m_model.family(), m_model.shape(), m_cell.cell.block)) {
            if (known.name == m_op)
                return &known;
        }
        return nullptr;
    }

    /// [rows, heads, length, d] of queries and keys as the product reads them.
    [[nodiscard]] std::pair<Tensor, Tensor> queriesAndKeys() const
    {
        const auto& shape = m_model.shape();
        if (const Tensor rope = recent("attn.rope"); rope.defined()) {
            const Tensor scaled = recent("attn.q_scaled");
            const Tensor q = scaled.defined() ? scaled : rope.narrow(1, 0, shape.heads);
            return {q, rope.narrow(1, shape.heads, shape.kvHeads)};
        }
        const Tensor qkv = recent("attn.qkv");
        if (!qkv.defined())
            return {};
        const auto parts = qkv.chunk(3, -1);
        return {splitHeads(parts[0], shape.heads), splitHeads(parts[1], shape.heads)};
    }

    [[nodiscard]] std::vector<core::ReplayOperand> scores() const
    {
        const auto [q, k] = queriesAndKeys();
        if (!q.defined() || m_index.size() != 4)
            return {};
        const auto kvHead = m_index[1] * k.size(1) / q.size(1);
        const Index queryAt{m_index[0], m_index[1], m_index[2]};
        const Index keyAt{m_index[0], kvHead, m_index[3]};
        const Tensor query = at(q, queryAt);
        const Tensor key = at(k, keyAt);
        return {operand("query row", queryAt, query), operand("key row", keyAt, key),
            exact("exact product", query.dot(key).item<double>(), m_cell.type)};
    }

    /// The values that an elementwise op met.
    [[nodiscard]] std::vector<core::ReplayOperand> elements() const
    {
        std::vector<core::ReplayOperand> out;
        const auto* known = spec();
        for (std::size_t i = 0; known != nullptr && i < known->reads.size(); ++i) {
            const Tensor read = recent(known->reads[i]);
            if (!read.defined())
                continue;
            Index index = m_index;
            const std::string name(known->reads[i] == "<" ? "stream" : known->reads[i]);
            out.push_back(operand(name, index, at(read, index)));
            // A gated layer keeps both halves in one tensor.
            if (read.size(-1) == 2 * m_cell.shape.back()) {
                index.back() += m_cell.shape.back();
                out.push_back(operand(name + ", gate", index, at(read, index)));
            }
        }
        return out;
    }

    /// The row that a reduction read.
    [[nodiscard]] std::vector<core::ReplayOperand> row() const
    {
        const auto* known = spec();
        const Tensor read = known == nullptr ? Tensor() : recent(known->reads.front());
        if (!read.defined() || m_index.empty())
            return {};
        const Index index(m_index.begin(), m_index.end() - 1);
        return {operand("input row", index, at(read, index))};
    }

    /// Input row, weight row and the exact product of a linear layer.
    [[nodiscard]] std::vector<core::ReplayOperand> linearRow() const
    {
        const auto* known = spec();
        if (known == nullptr || known->reads.size() != 1 || m_index.empty())
            return {};
        const Tensor input = recent(known->reads.front());
        const auto params = m_model.paramsRead(m_cell.cell.block, m_op);
        if (!input.defined() || params.empty())
            return {};
        const auto weight = m_model.stored(params.front());
        if (!weight || weight->dim() != 2)
            return {};
        const Tensor seen = stored(stored(*weight, m_types.param), m_types.matmul);
        const bool inputMajor
            = seen.size(0) == input.size(-1) && m_model.family().name == "gpt2" && m_op != "logits";
        const Index inputAt(m_index.begin(), m_index.end() - 1);
        const Tensor x = at(stored(input, m_types.matmul), inputAt);
        const Tensor w = at(inputMajor ? seen.t() : seen, {m_index.back()});
        return {operand("input row", inputAt, x), operand("weight row", {m_index.back()}, w),
            exact("exact product", x.dot(w).item<double>(), m_cell.type)};
    }

    Model& m_model;
    const std::map<std::string, Tensor, std::less<>>& m_recent;
    BlockTypes m_types;
    const TraceCell& m_cell;
    std::string m_op;
    Index m_index;
};

}  // namespace

std::vector<core::ReplayOperand> operandsOf(
    ReplayContext& context, const StepRecord& record, const TraceCell& cell)
{
    if (cell.lane != Lane::Forward || !cell.bad() || cell.cell.op == "loss"
        || cell.cell.op == "embedding")
        return {};
    return OperandFinder(context, record, cell).find();
}

}  // namespace firstbad::replay
