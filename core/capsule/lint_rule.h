// SPDX-License-Identifier: GPL-3.0-or-later
// What a lint rule sees and where it puts its findings. Internal to core/capsule.
//
// One thread. A rule that meets a disk error reports it with fail() and returns.
#pragma once

#include "core/base/job_context.h"
#include "core/capsule/lint.h"
#include "core/capsule/model_shape.h"
#include "core/capsule/tensor_cursor.h"
#include "core/capsule/tensor_file.h"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace firstbad::core {

/// One batch file. `tensor` of 2 dimensions: rows and length.
struct LintBatch {
    const TensorFile* file = nullptr;
    std::int64_t microStep = 0;
    std::int64_t rows = 0;
    std::int64_t length = 0;
    std::int64_t firstSample = 0;  ///< number of rows in the micro-steps before

    [[nodiscard]] const TensorEntry* find(std::string_view name) const noexcept
    {
        return file->find(name);
    }
};

class LintRun
{
public:
    LintRun(const Capsule& capsule, JobContext& job)
        : m_capsule(capsule)
        , m_job(job)
        , m_shape(modelShape(capsule))
    { }

    [[nodiscard]] const Capsule& capsule() const noexcept { return m_capsule; }
    [[nodiscard]] const ModelShape& shape() const noexcept { return m_shape; }
    [[nodiscard]] JobContext& job() noexcept { return m_job; }

    /// Shape of a weight, looked up with and without the family's optional prefix; nullptr when
    /// the weights are not in safetensors files or do not hold it.
    [[nodiscard]] const std::vector<std::int64_t>* weightShape(std::string_view name) const;
    [[nodiscard]] bool holdsWeights() const noexcept { return !m_weights.empty(); }
    /// Calls `visit(name, shape)` for every weight.
    template <class Visit> void forEachWeight(Visit visit) const
    {
        for (const auto& [name, shape] : m_weights)
            visit(name, shape);
    }
    void addWeights(const TensorFile& file);

    /// Rows that ids or labels may name: of the table of weights if it is there, else the config's.
    [[nodiscard]] std::optional<std::int64_t> embeddingRows() const;
    [[nodiscard]] std::optional<std::int64_t> labelClasses() const;

    /// Counts the finding and keeps it if its code has room.
    void add(LintFinding finding);
    /// Same, with micro-step, row, index and sample filled in.
    void addAt(LintFinding finding, const LintBatch& batch, std::optional<std::int64_t> row,
        std::optional<std::int64_t> index);
    void note(std::string code, std::string message);
    void fail(const std::optional<Error>& error);

    [[nodiscard]] const std::optional<Error>& error() const noexcept { return m_error; }
    [[nodiscard]] LintReport take() { return std::move(m_report); }

private:
    const Capsule& m_capsule;
    JobContext& m_job;
    ModelShape m_shape;
    std::map<std::string, std::vector<std::int64_t>> m_weights;
    LintReport m_report;
    std::optional<Error> m_error;
};

using BatchRule = void (*)(LintRun& run, const LintBatch& batch);

// Rules over one batch file, in the order of "first" inside the input lane.
void lintIds(LintRun& run, const LintBatch& batch);
void lintConstantInput(LintRun& run, const LintBatch& batch);
void lintPositions(LintRun& run, const LintBatch& batch);
void lintPositionTypes(LintRun& run, const LintBatch& batch);
void lintMask(LintRun& run, const LintBatch& batch);
void lintLabels(LintRun& run, const LintBatch& batch);
void lintTargets(LintRun& run, const LintBatch& batch);
void lintFiniteInputs(LintRun& run, const LintBatch& batch);
void lintBatchShapes(LintRun& run, const LintBatch& batch);

// Rules over the capsule.
void lintConfig(LintRun& run);
void lintEpsilons(LintRun& run);

}  // namespace firstbad::core
