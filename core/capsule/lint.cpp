// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/capsule/lint.h"

#include "core/capsule/lint_rule.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <fmt/ranges.h>

namespace firstbad::core {
namespace {

constexpr std::array<BatchRule, 9> kBatchRules{lintBatchShapes, lintIds, lintConstantInput,
    lintPositions, lintPositionTypes, lintFiniteInputs, lintMask, lintLabels, lintTargets};
constexpr std::array<void (*)(LintRun&), 2> kCapsuleRules{lintConfig, lintEpsilons};

void addFileProblems(LintRun& run, const CapsuleCheck& check)
{
    for (const auto& problem : check.problems) {
        LintFinding finding;
        finding.code = problem.code;
        finding.tensor = problem.file;
        finding.text = problem.text;
        run.add(std::move(finding));
    }
}

/// nullopt, and a note, for a file that cannot be read as tensors. A missing one was told already.
std::optional<TensorFile> openTensors(LintRun& run, const std::string& name)
{
    const auto path = pathOf(run.capsule(), name);
    std::error_code failed;
    if (!path || !std::filesystem::exists(*path, failed))
        return std::nullopt;
    const std::string shown = (std::filesystem::path(run.capsule().shownPath) / name).string();
    auto file = TensorFile::open(*path, shown);
    if (file)
        return std::move(*file);
    run.note("damaged-file", file.error().message);
    return std::nullopt;
}

void readWeightShapes(LintRun& run)
{
    for (const auto& file : run.capsule().weights.files) {
        if (const auto tensors = openTensors(run, file.name))
            run.addWeights(*tensors);
    }
}

/// Rows and length from the first tensor that has both.
void measure(LintBatch& batch)
{
    for (const auto* name : {"input_ids", "inputs_embeds", "labels"}) {
        const TensorEntry* tensor = batch.find(name);
        if (tensor != nullptr && tensor->shape.size() >= 2) {
            batch.rows = tensor->shape[0];
            batch.length = tensor->shape[1];
            return;
        }
    }
}

void lintBatches(LintRun& run)
{
    std::int64_t firstSample = 0;
    const auto& files = run.capsule().batches;
    for (std::size_t i = 0; i < files.size() && !run.error(); ++i) {
        const auto tensors = openTensors(run, files[i].name);
        if (!tensors)
            continue;
        LintBatch batch;
        batch.file = &*tensors;
        batch.microStep = static_cast<std::int64_t>(i);
        batch.firstSample = firstSample;
        measure(batch);
        for (const BatchRule rule : kBatchRules)
            rule(run, batch);
        firstSample += batch.rows;
    }
}

}  // namespace

bool LintReport::holdsError() const noexcept
{
    return std::any_of(findings.begin(), findings.end(),
        [](const LintFinding& finding) { return finding.severity == Severity::Error; });
}

const std::vector<std::int64_t>* LintRun::weightShape(std::string_view name) const
{
    if (const auto found = m_weights.find(std::string(name)); found != m_weights.end())
        return &found->second;
    if (m_shape.optionalPrefix.empty() || !name.starts_with(m_shape.optionalPrefix))
        return nullptr;
    const auto found = m_weights.find(std::string(name.substr(m_shape.optionalPrefix.size())));
    return found == m_weights.end() ? nullptr : &found->second;
}

void LintRun::addWeights(const TensorFile& file)
{
    for (const auto& tensor : file.tensors())
        m_weights.emplace(tensor.name, tensor.shape);
}

std::optional<std::int64_t> LintRun::embeddingRows() const
{
    const auto* table = weightShape(m_shape.embedding);
    return table != nullptr && !table->empty() ? std::optional(table->front()) : m_shape.vocabulary;
}

std::optional<std::int64_t> LintRun::labelClasses() const
{
    const auto* head = m_shape.head.empty() ? nullptr : weightShape(m_shape.head);
    return head != nullptr && !head->empty() ? std::optional(head->front()) : embeddingRows();
}

void LintRun::add(LintFinding finding)
{
    const std::uint64_t before = m_report.counts[finding.code]++;
    if (before < kMaxFindingsPerCode)
        m_report.findings.push_back(std::move(finding));
}

void LintRun::addAt(LintFinding finding, const LintBatch& batch, std::optional<std::int64_t> row,
    std::optional<std::int64_t> index)
{
    finding.microStep = batch.microStep;
    finding.row = row;
    finding.index = index;
    if (row) {
        const auto sample = static_cast<std::size_t>(batch.firstSample + *row);
        if (sample < m_capsule.sampleIds.size())
            finding.sampleId = m_capsule.sampleIds[sample];
    }
    add(std::move(finding));
}

void LintRun::note(std::string code, std::string message)
{
    m_report.diagnostics.push_back(
        {Severity::Warning, std::move(code), std::move(message), {m_capsule.shownPath, {}, {}}});
}

void LintRun::fail(const std::optional<Error>& error)
{
    if (!error)
        return;
    if (error->code == ErrorCode::Cancelled)
        m_error = error;
    else
        note("damaged-file", error->message);
}

Result<LintReport> lintCapsule(const Capsule& capsule, JobContext& job)
{
    LintRun run(capsule, job);
    job.setStage("hashing");
    const auto check = verifyCapsule(capsule, job);
    if (!check)
        return tl::unexpected(check.error());
    addFileProblems(run, *check);
    readWeightShapes(run);
    if (!run.shape().known)
        run.note("unknown-family",
            fmt::format("{} is of the family \"{}\"; sizes are known for {} only, so ids and "
                        "config were not checked.",
                capsule.shownPath, capsule.family, fmt::join(knownFamilies(), ", ")));
    job.setStage("checking the batch");
    lintBatches(run);
    for (const auto rule : kCapsuleRules)
        rule(run);
    if (run.error())
        return tl::unexpected(*run.error());
    return run.take();
}

}  // namespace firstbad::core
