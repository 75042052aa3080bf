// SPDX-License-Identifier: GPL-3.0-or-later
// Rules over config, weights and types, without a look at the batch.
#include "core/base/number.h"
#include "core/base/text.h"
#include "core/capsule/lint_rule.h"

#include <fmt/format.h>
#include <set>

namespace firstbad::core {
namespace {

void report(LintRun& run, std::string_view code, std::string tensor, std::string text,
    std::optional<std::int64_t> value = {}, std::optional<std::int64_t> limit = {})
{
    LintFinding found;
    found.code = code;
    found.tensor = std::move(tensor);
    found.text = std::move(text);
    if (value)
        found.value = static_cast<double>(*value);
    if (limit)
        found.limit = static_cast<double>(*limit);
    run.add(std::move(found));
}

void checkVocabulary(LintRun& run, const std::string& weight)
{
    const auto* table = weight.empty() ? nullptr : run.weightShape(weight);
    const auto& vocabulary = run.shape().vocabulary;
    if (table == nullptr || table->empty() || !vocabulary || *vocabulary <= table->front())
        return;
    report(run, "vocab-mismatch", weight,
        fmt::format("The config has {} tokens, {} has {} rows.", groupedInteger(*vocabulary),
            weight, groupedInteger(table->front())),
        *vocabulary, table->front());
}

void checkDivides(LintRun& run, std::string_view part, const std::optional<std::int64_t>& divisor,
    std::string_view whole, const std::optional<std::int64_t>& dividend)
{
    if (!divisor || !dividend)
        return;
    if (*divisor < 1 || *dividend < 1 || *dividend % *divisor != 0)
        report(run, "config-contradiction", "config",
            fmt::format("The config has {} {} for {} {}, which do not share out evenly.", *divisor,
                part, *dividend, whole),
            *divisor, *dividend);
}

void checkWidth(LintRun& run)
{
    const auto* table = run.weightShape(run.shape().embedding);
    const auto& hidden = run.shape().hidden;
    if (table == nullptr || !hidden || (table->size() == 2 && (*table)[1] == *hidden))
        return;
    const std::int64_t width = table->size() == 2 ? (*table)[1] : 0;
    report(run, "config-contradiction", run.shape().embedding,
        fmt::format("The config has width {}, {} has {}.", *hidden, run.shape().embedding, width),
        width, *hidden);
}

void checkPositionTable(LintRun& run)
{
    const auto& shape = run.shape();
    const auto* table
        = shape.positionTable.empty() ? nullptr : run.weightShape(shape.positionTable);
    if (table == nullptr || table->empty() || !shape.positions
        || table->front() == *shape.positions)
        return;
    report(run, "config-contradiction", shape.positionTable,
        fmt::format("The config has {} positions, {} has {} rows.", *shape.positions,
            shape.positionTable, table->front()),
        table->front(), *shape.positions);
}

/// Numbers of the blocks that the weights hold.
std::set<std::int64_t> blocksOfWeights(const LintRun& run)
{
    const auto& shape = run.shape();
    std::set<std::int64_t> blocks;
    const std::string bare = shape.blockPrefix.substr(shape.optionalPrefix.size());
    run.forEachWeight([&](const std::string& name, const auto&) {
        const std::string& prefix = name.starts_with(shape.blockPrefix) ? shape.blockPrefix : bare;
        if (!name.starts_with(prefix))
            return;
        const std::size_t end = name.find('.', prefix.size());
        if (end == std::string::npos)
            return;
        if (const auto number
            = parseInteger(std::string_view(name).substr(prefix.size(), end - prefix.size())))
            blocks.insert(*number);
    });
    return blocks;
}

void checkBlocks(LintRun& run)
{
    const auto& expected = run.shape().blocks;
    if (!expected || !run.holdsWeights())
        return;
    const auto blocks = blocksOfWeights(run);
    const auto count = static_cast<std::int64_t>(blocks.size());
    const bool whole = count == *expected
        && (blocks.empty() || (*blocks.begin() == 0 && *blocks.rbegin() + 1 == *expected));
    if (!whole)
        report(run, "config-contradiction", run.shape().blockPrefix,
            fmt::format("The config has {} blocks, the weights hold {}.", *expected, count), count,
            *expected);
}

/// Half of the smallest positive value: below it a number is stored as zero.
double vanishesBelow(const std::string& type)
{
    if (type == "fp16")
        return 2.98023223876953125e-08;
    if (type == "bf16")
        return 4.591774807899561e-41;
    return type == "fp64" ? 2.5e-324 : 7.006492321624085e-46;
}

void checkEpsilon(LintRun& run, const std::string& name, double eps, const std::string& type)
{
    const double limit = vanishesBelow(type);
    if (eps > limit || eps < 0.0)
        return;
    LintFinding found;
    found.code = "eps-below-type";
    found.severity = Severity::Warning;
    found.tensor = name;
    found.value = eps;
    found.limit = limit;
    found.text = fmt::format("{} = {} is zero in {}: nothing keeps the division from 0/0.", name,
        shortNumber(eps), type);
    run.add(std::move(found));
}

}  // namespace

void lintConfig(LintRun& run)
{
    const auto& shape = run.shape();
    if (!shape.known)
        return;
    checkVocabulary(run, shape.embedding);
    checkVocabulary(run, shape.head);
    checkDivides(run, "heads", shape.heads, "columns", shape.hidden);
    checkDivides(run, "key-value heads", shape.keyValueHeads, "heads", shape.heads);
    checkWidth(run);
    checkPositionTable(run);
    checkBlocks(run);
}

void lintEpsilons(LintRun& run)
{
    const Capsule& capsule = run.capsule();
    if (run.shape().normEps)
        checkEpsilon(
            run, "config." + run.shape().normEpsName, *run.shape().normEps, capsule.precision.norm);
    if (capsule.optimizer) {
        const bool inParameterType = !capsule.optimizer->master;
        checkEpsilon(run, "state.optimizer.eps", capsule.optimizer->eps,
            inParameterType ? capsule.precision.params : "fp32");
    }
}

}  // namespace firstbad::core
