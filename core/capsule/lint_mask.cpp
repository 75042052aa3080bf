// SPDX-License-Identifier: GPL-3.0-or-later
// Rules over attention masks: queries without any key, values that overflow when added.
#include "core/base/text.h"
#include "core/base/value_kind.h"
#include "core/capsule/lint_rule.h"

#include <algorithm>
#include <fmt/format.h>

namespace firstbad::core {
namespace {

/// An additive mask blocks from here on: models add -10000, -1e9 or the lowest value of a type,
/// while biases by distance stay far above.
constexpr double kBlocking = -1.0e4;

bool isInteger(ElementType type)
{
    return !exactIntegersUpTo(type).has_value();
}

bool isHalf(const std::string& type)
{
    return type == "fp16" || type == "bf16";
}

/// Largest finite value of the type in which scores and mask are added.
double largestOf(const std::string& type)
{
    if (type == "fp16")
        return 65504.0;
    return type == "bf16" ? 3.3895313892515355e38 : 3.4028234663852886e38;
}

void reportDeadQuery(LintRun& run, const LintBatch& batch, std::int64_t row, std::int64_t query)
{
    LintFinding found;
    found.code = "dead-mask-row";
    found.tensor = "attention_mask";
    found.value = 0.0;
    found.element = {row, query};
    found.text = fmt::format(
        "Query {} of row {} may look at no key: its softmax has nothing to share out.", query, row);
    run.addAt(std::move(found), batch, row, query);
}

/// 1 = token, combined with causal: a query is dead as long as no key up to it is allowed.
/// Answers whether there was one.
bool checkTokenMask(LintRun& run, const LintBatch& batch, const TensorEntry& mask)
{
    const std::int64_t length = mask.shape[1];
    TensorCursor cursor(*batch.file, mask, run.job());
    bool allowed = false;
    bool dead = false;
    while (length > 0 && cursor.next()) {
        const auto flat = static_cast<std::int64_t>(cursor.index());
        if (flat % length == 0)
            allowed = false;
        allowed = allowed || cursor.value() != 0.0;
        if (!allowed) {
            dead = true;
            reportDeadQuery(run, batch, flat / length, flat % length);
        }
    }
    run.fail(cursor.error());
    return dead;
}

bool blocks(const TensorCursor& cursor, bool additive)
{
    if (!additive)
        return cursor.value() == 0.0;
    const double value = cursor.value();
    return classify(value) == ValueKind::MinusInfinity || (isFinite(value) && value <= kBlocking);
}

/// Rows of keys of a mask of three or four dimensions. A query that is dead in one head is told
/// once. Answers the lowest finite value.
double checkWholeMask(LintRun& run, const LintBatch& batch, const TensorEntry& mask)
{
    const std::size_t rank = mask.shape.size();
    const std::int64_t keys = mask.shape[rank - 1];
    const std::int64_t queries = mask.shape[rank - 2];
    const std::int64_t heads = rank == 4 ? mask.shape[1] : 1;
    const bool additive = !isInteger(mask.type);
    double lowest = 0.0;
    bool allowed = false;
    std::vector<std::int64_t> told;  // queries of the current row
    TensorCursor cursor(*batch.file, mask, run.job());
    while (keys > 0 && queries > 0 && heads > 0 && cursor.next()) {
        const auto flat = static_cast<std::int64_t>(cursor.index());
        const std::int64_t key = flat % keys;
        const std::int64_t query = flat / keys % queries;
        const std::int64_t row = flat / keys / queries / heads;
        if (flat % (keys * queries * heads) == 0)
            told.clear();
        if (additive && isFinite(cursor.value()))
            lowest = std::min(lowest, cursor.value());
        allowed = (allowed && key > 0) || !blocks(cursor, additive);
        if (key + 1 < keys || allowed || std::find(told.begin(), told.end(), query) != told.end())
            continue;
        told.push_back(query);
        reportDeadQuery(run, batch, row, query);
    }
    run.fail(cursor.error());
    return lowest;
}

void reportMaskValue(LintRun& run, const LintBatch& batch, double value, std::string text)
{
    LintFinding found;
    found.code = "mask-value";
    found.severity = Severity::Warning;
    found.tensor = "attention_mask";
    found.value = value;
    found.limit = -largestOf(run.capsule().precision.compute);
    found.text = std::move(text);
    run.addAt(std::move(found), batch, std::nullopt, std::nullopt);
}

/// A finite mask value at the edge of the type: a negative score more makes it -Infinity.
void checkMaskValue(LintRun& run, const LintBatch& batch, double lowest)
{
    const std::string& type = run.capsule().precision.compute;
    const double edge = -largestOf(type);
    if (lowest < edge)
        reportMaskValue(run, batch, lowest,
            fmt::format("The mask holds {}, which is -Infinity in {}.", shortNumber(lowest), type));
    else if (lowest <= edge * 0.99)
        reportMaskValue(run, batch, lowest,
            fmt::format(
                "The mask holds {}, the edge of {}: a negative score added to it is -Infinity.",
                shortNumber(lowest), type));
}

}  // namespace

void lintMask(LintRun& run, const LintBatch& batch)
{
    const TensorEntry* mask = batch.find("attention_mask");
    if (mask == nullptr)
        return;
    if (mask->shape.size() == 2) {
        const std::string& type = run.capsule().precision.compute;
        const bool dead = checkTokenMask(run, batch, *mask);
        if (dead && isHalf(type) && !run.shape().wholeMask)
            reportMaskValue(run, batch, -largestOf(type),
                fmt::format("Blocked keys get the lowest value of {}; where no key is allowed, a "
                            "negative score makes all of them -Infinity.",
                    type));
    } else if (mask->shape.size() == 3 || mask->shape.size() == 4) {
        checkMaskValue(run, batch, checkWholeMask(run, batch, *mask));
    }
}

}  // namespace firstbad::core
