// SPDX-License-Identifier: GPL-3.0-or-later
// Rules over labels and loss masks, after the shift that the loss makes.
#include "core/capsule/lint_rule.h"

#include <fmt/format.h>

namespace firstbad::core {
namespace {

/// Walks labels and loss mask together.
class TargetCursor
{
public:
    TargetCursor(LintRun& run, const LintBatch& batch, const TensorEntry& labels)
        : m_run(run)
        , m_labels(*batch.file, labels, run.job())
        , m_length(labels.shape[1])
        , m_ignore(run.capsule().loss.ignoreIndex)
        , m_shifts(!run.capsule().loss.shifted)
    {
        const TensorEntry* mask = batch.find("loss_mask");
        if (mask != nullptr && mask->shape == labels.shape)
            m_mask.emplace(*batch.file, *mask, run.job());
    }

    [[nodiscard]] bool next()
    {
        const bool more = m_labels.next() && (!m_mask || m_mask->next());
        if (!more) {
            m_run.fail(m_labels.error());
            if (m_mask)
                m_run.fail(m_mask->error());
        }
        return more;
    }

    [[nodiscard]] std::int64_t row() const { return flat() / m_length; }
    [[nodiscard]] std::int64_t index() const { return flat() % m_length; }
    [[nodiscard]] std::int64_t label() const { return m_labels.integer(); }
    /// The loss looks at this label. The first of a row has no token before it to predict it.
    [[nodiscard]] bool isLookedAt() const
    {
        return label() != m_ignore && !(m_shifts && index() == 0);
    }
    /// It also counts: a NaN weight does.
    [[nodiscard]] bool isTarget() const
    {
        return isLookedAt() && !(m_mask && m_mask->value() == 0.0);
    }
    [[nodiscard]] bool endsRow() const { return index() + 1 == m_length; }

private:
    [[nodiscard]] std::int64_t flat() const { return static_cast<std::int64_t>(m_labels.index()); }

    LintRun& m_run;
    TensorCursor m_labels;
    std::optional<TensorCursor> m_mask;
    std::int64_t m_length;
    std::int64_t m_ignore;
    bool m_shifts;
};

const TensorEntry* labelsOf(const LintBatch& batch)
{
    const TensorEntry* labels = batch.find("labels");
    return labels != nullptr && labels->shape.size() == 2 && labels->shape[1] > 0 ? labels
                                                                                  : nullptr;
}

void reportNoTargets(LintRun& run, const LintBatch& batch)
{
    LintFinding found;
    found.code = "no-valid-targets";
    found.tensor = "labels";
    found.value = 0.0;
    found.text = fmt::format("Micro-step {} has no label that counts after the shift and the loss "
                             "mask: its mean loss is 0/0.",
        batch.microStep);
    run.addAt(std::move(found), batch, std::nullopt, std::nullopt);
}

void reportEmptyRow(LintRun& run, const LintBatch& batch, std::int64_t row)
{
    LintFinding found;
    found.code = "row-no-targets";
    found.severity = Severity::Warning;
    found.tensor = "labels";
    found.value = 0.0;
    found.text
        = fmt::format("Row {} has no label that counts: a mean over this row alone is 0/0.", row);
    run.addAt(std::move(found), batch, row, std::nullopt);
}

}  // namespace

void lintLabels(LintRun& run, const LintBatch& batch)
{
    const TensorEntry* labels = labelsOf(batch);
    const auto classes = run.labelClasses();
    if (labels == nullptr || !classes)
        return;
    for (TargetCursor at(run, batch, *labels); at.next();) {
        const std::int64_t label = at.label();
        if (!at.isLookedAt() || (label >= 0 && label < *classes))
            continue;
        LintFinding found;
        found.code = "label-out-of-range";
        found.tensor = "labels";
        found.value = static_cast<double>(label);
        found.limit = static_cast<double>(*classes - 1);
        found.element = {at.row(), at.index()};
        found.text
            = fmt::format("labels is {} at row {}, index {}; classes are 0 to {}, {} is ignored.",
                label, at.row(), at.index(), *classes - 1, run.capsule().loss.ignoreIndex);
        run.addAt(std::move(found), batch, at.row(), at.index());
    }
}

void lintTargets(LintRun& run, const LintBatch& batch)
{
    const TensorEntry* labels = labelsOf(batch);
    if (labels == nullptr)
        return;
    std::uint64_t total = 0;
    std::uint64_t ofRow = 0;
    std::vector<std::int64_t> empty;
    for (TargetCursor at(run, batch, *labels); at.next();) {
        ofRow += at.isTarget() ? 1U : 0U;
        if (!at.endsRow())
            continue;
        if (ofRow == 0)
            empty.push_back(at.row());
        total += ofRow;
        ofRow = 0;
    }
    if (run.error())
        return;
    if (total == 0) {
        reportNoTargets(run, batch);
        return;
    }
    for (const std::int64_t row : empty)
        reportEmptyRow(run, batch, row);
}

}  // namespace firstbad::core
