// SPDX-License-Identifier: GPL-3.0-or-later
#include "replay/engine/judgement.h"

#include "core/base/text.h"

#include <algorithm>
#include <fmt/format.h>

namespace firstbad::replay {

namespace {

constexpr double kNearLimit = 0.99;

bool sameClass(bool recorded, double value, std::optional<double> replayed)
{
    return !recorded || !replayed || core::isFinite(value) == core::isFinite(*replayed);
}

bool lossBad(const StepRecord& record)
{
    return record.loss && !core::isFinite(*record.loss);
}

/// Micro-steps whose batch holds no target at all.
bool anyEmptyTargets(const StepRecord& record)
{
    const auto& rule = record.plan.loss;
    return std::any_of(
        record.plan.batches.begin(), record.plan.batches.end(), [&](const MicroBatch& batch) {
            const auto targets = lossTargets(batch.labels, batch.lossMask, rule);
            Tensor counted = targets.labels.ne(rule.ignoreIndex);
            if (targets.mask.defined())
                counted = counted.logical_and(targets.mask.ne(0));
            return !counted.any().item<bool>();
        });
}

/// A row of a float mask that blocks every key.
bool anyDeadMaskRow(const StepRecord& record)
{
    return std::any_of(
        record.plan.batches.begin(), record.plan.batches.end(), [](const MicroBatch& batch) {
            const Tensor& mask = batch.attentionMask;
            return mask.defined() && mask.dim() == 4 && at::isFloatingType(mask.scalar_type())
                && at::isneginf(mask).all(-1).any().item<bool>();
        });
}

Verdict nonfiniteLoss(const StepRecord& record, const core::ReplayPlace& first)
{
    if (first.op == "loss" && anyEmptyTargets(record))
        return {"empty-loss", "fault", "A micro-step has no valid target: its loss is 0/0."};
    if (first.op == "attn.softmax" && anyDeadMaskRow(record))
        return {"input-fault", "fault", "The attention mask blocks every key of a row."};
    const auto& losses = record.microLosses;
    const bool someFinite = std::any_of(
        losses.begin(), losses.end(), [](double loss) { return core::isFinite(loss); });
    if (losses.size() > 1 && someFinite)
        return {"stale-gradient", "fault",
            fmt::format("Micro-step {} is bad and spoils the gradient of all {}.", first.microStep,
                losses.size())};
    return {"nonfinite-loss", "fault",
        fmt::format("{} is the first place that is not finite, and the loss is not.", first.locus)};
}

Verdict nonfiniteGradient(const ReplayContext& context, const StepRecord& record,
    const core::ReplayPlace& first, std::optional<bool> finiteAtLowerScale)
{
    const auto& scaler = context.capsule.scaler;
    // A scale that had not held for a single step is still looking for its range.
    const bool probing = scaler && scaler->growthTracker == 0;
    if (record.skipped && probing && finiteAtLowerScale.value_or(false))
        return {"scale-probe", "benign",
            "At loss scale 1 the step is finite, the scale had not held for one step yet, and the "
            "scaler skips the update."};
    return {"nonfinite-grad", "fault",
        fmt::format("The loss is finite; the first bad gradient is at {}.",
            first.locus.empty() ? first.tensor : first.locus)};
}

void add(std::vector<core::FidelityItem>& items, std::string what, std::string state,
    std::string detail = {})
{
    items.push_back({std::move(what), std::move(state), std::move(detail)});
}

std::string hashState(const core::CapsuleCheck& check, const std::vector<std::string>& names)
{
    const bool wrong = std::any_of(
        check.problems.begin(), check.problems.end(), [&](const core::CapsuleProblem& problem) {
            return std::find(names.begin(), names.end(), problem.file) != names.end();
        });
    return wrong ? "different" : "same";
}

std::vector<std::string> namesOf(const std::vector<core::CapsuleFile>& files)
{
    std::vector<std::string> names;
    names.reserve(files.size());
    for (const auto& file : files)
        names.push_back(file.name);
    return names;
}

void addStateFidelity(std::vector<core::FidelityItem>& items, const core::Capsule& capsule)
{
    if (!capsule.optimizer)
        add(items, "optimizer", "unknown", "the capsule records none");
    else if (!capsule.optimizer->file && capsule.optimizer->step > 0)
        add(items, "optimizer", "different", "moments are not recorded and start from zero");
    else
        add(items, "optimizer", "same");
    add(items, "scaler", capsule.scaler ? "same" : "off");
    if (capsule.fp8)
        add(items, "fp8", "emulated", "recorded scales, saturating casts, products in fp32");
}

/// Tokens of one row of the batch, in a cell of [rows, length, width].
std::int64_t lengthOf(const TraceCell& cell)
{
    return cell.shape.size() == 3 ? cell.shape[1] : 1;
}

/// Largest finite value that a boundary of this type can hold, where rounding can reach it.
std::optional<double> limitOf(const TraceCell& cell)
{
    return isHalf(cell.type) || cell.type == at::kFloat ? std::optional(largestOf(cell.type))
                                                        : std::nullopt;
}

}  // namespace

std::string reproducedAs(const ReplayContext& context, const StepRecord& record,
    const std::optional<core::ReplayPlace>& first)
{
    const auto& observed = context.capsule.observed;
    if (context.dropoutLost())
        return "no";
    if (observed.firstBad) {
        if (!first)
            return "no";
        const bool same = core::equalsIgnoringCase(observed.firstBad->lane, first->lane)
            && core::equalsIgnoringCase(observed.firstBad->kind, first->kind);
        return same ? "yes" : "different";
    }
    const bool same = sameClass(observed.hasLoss, observed.loss, record.loss)
        && sameClass(observed.hasGradNorm, observed.gradNorm, record.gradNorm);
    if (same)
        return "yes";
    return first ? "different" : "no";
}

bool dependsOnScale(const ReplayContext& context, const std::optional<core::ReplayPlace>& first)
{
    return first && context.capsule.scaler && context.entryBad.empty()
        && (first->lane == "backward" || first->lane == "grad");
}

Verdict verdictOf(const ReplayContext& context, const StepRecord& record,
    const std::optional<core::ReplayPlace>& first, std::optional<bool> finiteAtLowerScale)
{
    if (context.dropoutLost())
        return {"none", "unknown",
            "Dropout was on and its generator is not recorded: the step cannot be run again."};
    if (!first) {
        const auto& observed = context.capsule.observed;
        const bool recordedBad = observed.firstBad
            || (observed.hasLoss && !core::isFinite(observed.loss))
            || (observed.hasGradNorm && !core::isFinite(observed.gradNorm));
        if (recordedBad)
            return {"transient", "unknown", "The training saw a fault that the replay does not."};
        const bool collapsed = firstCell(record, [](const TraceCell& cell) {
            return cell.collapsedRow.has_value();
        }) != nullptr;
        if (collapsed)
            return {"none", "unknown",
                "Every boundary is finite, but a norm made exact zeros of a row: its variance "
                "overflowed."};
        return {"none", "benign", "Every boundary of every lane is finite."};
    }
    if (first->lane == "input")
        return {"input-fault", "fault",
            fmt::format("{} is wrong before the model is asked.", first->tensor)};
    if (first->op == "norm")
        return {
            "norm-overflow", "fault", "Every gradient is finite, the sum of their squares is not."};
    if (!context.entryBad.empty() && !first->weightsFinite)
        return {"poisoned-state", "fault",
            fmt::format("{} was bad when the step began: the origin is an earlier step.",
                context.entryBad.front().tensor)};
    if (first->lane == "optimizer" || first->lane == "param" || !context.entryBad.empty())
        return {"poisoned-state", "fault",
            fmt::format("Gradients are finite; the update makes {} bad.", first->tensor)};
    if (lossBad(record))
        return nonfiniteLoss(record, *first);
    if (record.gradientsBad() || first->lane != "forward")
        return nonfiniteGradient(context, record, *first, finiteAtLowerScale);
    return {"none", "unknown",
        fmt::format("{} is not finite, and what follows absorbs it.", first->locus)};
}

std::vector<core::FidelityItem> fidelityOf(
    const ReplayContext& context, const StepPlan& plan, const core::CapsuleCheck& check)
{
    const core::Capsule& capsule = context.capsule;
    std::vector<core::FidelityItem> items;
    auto weightFiles = namesOf(capsule.weights.files);
    weightFiles.push_back(capsule.weights.checkpointPath);
    add(items, "weights", hashState(check, weightFiles), check.weightsSha256);
    add(items, "batch", hashState(check, namesOf(capsule.batches)), check.batchSha256);
    const bool recorded
        = plan.precision.name == capsule.precision.compute && plan.precision.fp32Blocks.empty();
    const bool native = plan.precision.types.matmul == plan.precision.types.compute;
    add(items, "precision",
        !recorded    ? "different"
            : native ? "same"
                     : "emulated",
        native ? plan.precision.name
               : plan.precision.name + ": computed in fp32 and rounded where the run stores");
    const bool fused = plan.precision.types.fusedAttention;
    add(items, "attention",
        (capsule.precision.attention != "eager") == fused ? "same" : "different",
        fused ? "scores are not stored" : "eager");
    if (context.dropoutLost())
        add(items, "dropout", "not-reproducible",
            "dropout > 0 in training mode; the masks of the run cannot be drawn again");
    else
        add(items, "dropout", "off");
    add(items, "rng", capsule.hasRng ? "same" : "off",
        capsule.hasRng ? "recorded; nothing in the step draws" : "nothing in the step draws");
    add(items, "device", "different", "cpu; order of sums may differ in the last place");
    addStateFidelity(items, capsule);
    return items;
}

std::vector<core::ReplayFinding> findingsOf(const ReplayContext& context, const StepRecord& record)
{
    std::vector<core::ReplayFinding> out;
    for (const auto& cell : record.trace.cells()) {
        const bool boundary = cell.lane == Lane::Forward || cell.lane == Lane::Backward;
        if (cell.cell.op == "norm" && cell.lane == Lane::Clipped)
            out.push_back({"norm-overflow", "error", "clipped", context.model->shape().blocks,
                "norm", {}, {}, {}, {}, "The norm is not finite although every gradient is."});
        if (cell.collapsedRow)
            out.push_back({"row-collapsed", "error", std::string(toString(cell.lane)),
                cell.cell.block, cell.cell.op, *cell.collapsedRow / lengthOf(cell),
                *cell.collapsedRow % lengthOf(cell), 0.0, {},
                "A row that is not zero was normalised to exact zeros."});
        const auto limit = boundary ? limitOf(cell) : std::nullopt;
        if (limit && cell.cell.op != "loss" && cell.cell.maxAbs >= kNearLimit * *limit)
            out.push_back({"near-limit", "warning", std::string(toString(cell.lane)),
                cell.cell.block, cell.cell.op, {}, {}, cell.cell.maxAbs, *limit,
                "A finite value is within 1 % of the largest that its type can hold."});
    }
    return out;
}

}  // namespace firstbad::replay
