// SPDX-License-Identifier: GPL-3.0-or-later
// Rules over every value of the batch, and over what its tensors say of each other.
#include "core/base/value_kind.h"
#include "core/capsule/lint_rule.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <fmt/ranges.h>

namespace firstbad::core {
namespace {

std::vector<std::int64_t> indexOf(const TensorEntry& tensor, std::uint64_t flat)
{
    std::vector<std::int64_t> index(tensor.shape.size());
    for (std::size_t i = index.size(); i-- > 0;) {
        const auto size = static_cast<std::uint64_t>(tensor.shape[i]);
        index[i] = static_cast<std::int64_t>(flat % size);
        flat /= size;
    }
    return index;
}

std::optional<std::int64_t> dimension(const std::vector<std::int64_t>& index, std::size_t which)
{
    return which < index.size() ? std::optional(index[which]) : std::nullopt;
}

/// -Infinity blocks a key in an additive mask; nothing else there may be non-finite.
bool isMeant(const TensorEntry& tensor, ValueKind kind)
{
    return kind == ValueKind::Finite
        || (tensor.name == "attention_mask" && kind == ValueKind::MinusInfinity);
}

/// One finding for each place (row, index), with the first element and the count of them.
class PlaceCollector
{
public:
    PlaceCollector(LintRun& run, const LintBatch& batch, const TensorEntry& tensor)
        : m_run(run)
        , m_batch(batch)
        , m_tensor(tensor)
    { }

    void add(std::uint64_t flat, double value)
    {
        const auto index = indexOf(m_tensor, flat);
        const auto row = dimension(index, 0);
        const auto column = dimension(index, 1);
        if (m_open && m_open->row == row && m_open->index == column) {
            ++*m_open->count;
            return;
        }
        flush();
        m_open.emplace();
        m_open->code = "nonfinite-input";
        m_open->tensor = m_tensor.name;
        m_open->row = row;
        m_open->index = column;
        m_open->value = value;
        m_open->count = 1;
        m_open->element = index;
        m_open->text = fmt::format("{} is {} at [{}] before the model has seen it.", m_tensor.name,
            toString(classify(value)), fmt::join(index, ", "));
    }

    void flush()
    {
        if (!m_open)
            return;
        const auto row = m_open->row;
        const auto index = m_open->index;
        m_run.addAt(std::move(*m_open), m_batch, row, index);
        m_open.reset();
    }

private:
    LintRun& m_run;
    const LintBatch& m_batch;
    const TensorEntry& m_tensor;
    std::optional<LintFinding> m_open;
};

void reportContradiction(
    LintRun& run, const LintBatch& batch, const std::string& tensor, std::string text)
{
    LintFinding found;
    found.code = "config-contradiction";
    found.tensor = tensor;
    found.text = std::move(text);
    run.addAt(std::move(found), batch, std::nullopt, std::nullopt);
}

}  // namespace

void lintFiniteInputs(LintRun& run, const LintBatch& batch)
{
    for (const TensorEntry& tensor : batch.file->tensors()) {
        if (!elementTypeInfo(tensor.type).canBeNonFinite)
            continue;
        PlaceCollector places(run, batch, tensor);
        TensorCursor cursor(*batch.file, tensor, run.job());
        while (cursor.next()) {
            const double value = cursor.value();
            if (!isMeant(tensor, classify(value)))
                places.add(cursor.index(), value);
        }
        places.flush();
        run.fail(cursor.error());
    }
}

void lintBatchShapes(LintRun& run, const LintBatch& batch)
{
    constexpr std::array<std::string_view, 3> kAlike{"labels", "position_ids", "loss_mask"};
    const TensorEntry* ids = batch.find("input_ids");
    if (ids == nullptr && batch.find("inputs_embeds") == nullptr) {
        reportContradiction(
            run, batch, "input_ids", "The batch holds neither input_ids nor inputs_embeds.");
        return;
    }
    for (const auto& name : run.capsule().batchTensors) {
        if (batch.find(name) == nullptr)
            reportContradiction(run, batch, name,
                fmt::format("capsule.json lists the tensor {}, the batch of micro-step {} does not "
                            "hold it.",
                    name, batch.microStep));
    }
    if (ids == nullptr)
        return;
    if (ids->shape.size() != 2 || exactIntegersUpTo(ids->type))
        reportContradiction(run, batch, ids->name,
            fmt::format(
                "input_ids has shape [{}] and type {}; it has to be whole numbers, [rows, length].",
                fmt::join(ids->shape, ", "), elementTypeInfo(ids->type).name));
    for (const auto name : kAlike) {
        const TensorEntry* tensor = batch.find(name);
        const bool alike = tensor == nullptr || tensor->shape == ids->shape
            || (name == "position_ids" && tensor->shape.size() == 2 && tensor->shape[0] == 1
                && tensor->shape[1] == batch.length);
        if (!alike)
            reportContradiction(run, batch, tensor->name,
                fmt::format("{} has shape [{}], input_ids [{}].", name,
                    fmt::join(tensor->shape, ", "), fmt::join(ids->shape, ", ")));
    }
}

}  // namespace firstbad::core
