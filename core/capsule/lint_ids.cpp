// SPDX-License-Identifier: GPL-3.0-or-later
// Rules over input ids and positions.
#include "core/base/text.h"
#include "core/capsule/lint_rule.h"

#include <fmt/format.h>

namespace firstbad::core {
namespace {

LintFinding finding(std::string_view code, Severity severity, std::string_view tensor)
{
    LintFinding result;
    result.code = code;
    result.severity = severity;
    result.tensor = tensor;
    return result;
}

/// Calls visit(row, index, cursor) for each element of a tensor of two dimensions.
template <class Visit>
void forEachPlace(LintRun& run, const LintBatch& batch, const TensorEntry& tensor, Visit visit)
{
    if (tensor.shape.size() != 2 || tensor.shape[1] <= 0)
        return;
    TensorCursor cursor(*batch.file, tensor, run.job());
    const std::int64_t length = tensor.shape[1];
    while (cursor.next()) {
        const auto flat = static_cast<std::int64_t>(cursor.index());
        visit(flat / length, flat % length, cursor);
    }
    run.fail(cursor.error());
}

/// Reports every value outside 0 .. rows-1.
void checkRange(LintRun& run, const LintBatch& batch, const TensorEntry& tensor,
    std::string_view code, std::int64_t rows, std::string_view what)
{
    forEachPlace(
        run, batch, tensor, [&](std::int64_t row, std::int64_t index, const TensorCursor& cursor) {
            const std::int64_t value = cursor.integer();
            if (value >= 0 && value < rows)
                return;
            LintFinding found = finding(code, Severity::Error, tensor.name);
            found.value = static_cast<double>(value);
            found.limit = static_cast<double>(rows - 1);
            found.element = {row, index};
            found.text = fmt::format("{} is {} at row {}, index {}; {} has rows 0 to {}.",
                tensor.name, value, row, index, what, rows - 1);
            run.addAt(std::move(found), batch, row, index);
        });
}

/// Positions that the model counts itself because the batch gives none.
void checkImpliedPositions(LintRun& run, const LintBatch& batch, std::int64_t rows)
{
    if (batch.length <= rows)
        return;
    LintFinding found = finding("position-out-of-range", Severity::Error, "input_ids");
    found.value = static_cast<double>(batch.length - 1);
    found.limit = static_cast<double>(rows - 1);
    found.text = fmt::format(
        "Sequences of {} tokens reach position {}; the table of positions has rows 0 to {}.",
        batch.length, batch.length - 1, rows - 1);
    run.addAt(std::move(found), batch, std::nullopt, rows);
}

std::optional<std::int64_t> positionRows(const LintRun& run)
{
    if (run.shape().positionTable.empty())
        return std::nullopt;
    const auto* table = run.weightShape(run.shape().positionTable);
    return table != nullptr && !table->empty() ? std::optional(table->front())
                                               : run.shape().positions;
}

/// One finding a row: the first position that its type cannot tell from its neighbours.
void checkPrecision(LintRun& run, const LintBatch& batch, const TensorEntry& positions)
{
    const auto exact = exactIntegersUpTo(positions.type);
    if (!exact)
        return;
    std::int64_t told = -1;
    forEachPlace(run, batch, positions,
        [&](std::int64_t row, std::int64_t index, const TensorCursor& cursor) {
            if (row == told || cursor.value() < *exact)
                return;
            told = row;
            LintFinding found = finding("position-precision", Severity::Warning, positions.name);
            found.value = cursor.value();
            found.limit = *exact;
            found.text = fmt::format(
                "{} is stored as {}, which is exact up to {}; row {} has {} at index {}.",
                positions.name, elementTypeInfo(positions.type).name, *exact, row, cursor.value(),
                index);
            run.addAt(std::move(found), batch, row, index);
        });
}

/// A two-dimensional mask of the same shape, which says what is padding.
std::optional<TensorCursor> paddingCursor(
    LintRun& run, const LintBatch& batch, const TensorEntry& tensor)
{
    const TensorEntry* mask = batch.find("attention_mask");
    if (mask == nullptr || mask->shape != tensor.shape)
        return std::nullopt;
    return TensorCursor(*batch.file, *mask, run.job());
}

void checkDuplicates(LintRun& run, const LintBatch& batch, const TensorEntry& positions)
{
    auto padding = paddingCursor(run, batch, positions);
    double before = 0.0;
    bool beforeIsToken = false;
    forEachPlace(run, batch, positions,
        [&](std::int64_t row, std::int64_t index, const TensorCursor& cursor) {
            const bool token = !padding || (padding->next() && padding->integer() != 0);
            const double value = cursor.value();
            if (index > 0 && token && beforeIsToken && value == before) {
                LintFinding found
                    = finding("duplicate-position", Severity::Warning, positions.name);
                found.value = value;
                found.element = {row, index};
                found.text
                    = fmt::format("Row {} has position {} at index {} and at the one before it.",
                        row, value, index);
                run.addAt(std::move(found), batch, row, index);
            }
            before = value;
            beforeIsToken = token;
        });
}

}  // namespace

void lintIds(LintRun& run, const LintBatch& batch)
{
    const TensorEntry* ids = batch.find("input_ids");
    const auto rows = run.embeddingRows();
    if (ids == nullptr || !rows || batch.find("inputs_embeds") != nullptr)
        return;
    checkRange(run, batch, *ids, "id-out-of-range", *rows, "the embedding");
}

void lintConstantInput(LintRun& run, const LintBatch& batch)
{
    constexpr std::int64_t kShortest = 4;  // shorter rows are alike by chance
    const TensorEntry* ids = batch.find("input_ids");
    if (ids == nullptr || batch.length < kShortest || batch.find("inputs_embeds") != nullptr)
        return;
    std::int64_t first = 0;
    bool constant = false;
    forEachPlace(
        run, batch, *ids, [&](std::int64_t row, std::int64_t index, const TensorCursor& cursor) {
            const std::int64_t id = cursor.integer();
            if (index == 0)
                first = id;
            constant = index == 0 || (constant && id == first);
            if (index + 1 < batch.length || !constant)
                return;
            LintFinding found = finding("constant-input", Severity::Warning, ids->name);
            found.value = static_cast<double>(first);
            found.count = static_cast<std::uint64_t>(batch.length);
            found.text = fmt::format("Row {} is the id {} and nothing else.", row, first);
            run.addAt(std::move(found), batch, row, std::nullopt);
        });
}

void lintPositions(LintRun& run, const LintBatch& batch)
{
    const auto rows = positionRows(run);
    if (!rows)
        return;
    if (const TensorEntry* positions = batch.find("position_ids"))
        checkRange(
            run, batch, *positions, "position-out-of-range", *rows, "the table of positions");
    else
        checkImpliedPositions(run, batch, *rows);
}

void lintPositionTypes(LintRun& run, const LintBatch& batch)
{
    const TensorEntry* positions = batch.find("position_ids");
    if (positions == nullptr)
        return;
    checkPrecision(run, batch, *positions);
    // GLM gives all generated tokens one position and tells them apart by a second row of
    // positions.
    if (!run.shape().wholeMask || exactIntegersUpTo(positions->type))
        checkDuplicates(run, batch, *positions);
}

}  // namespace firstbad::core
