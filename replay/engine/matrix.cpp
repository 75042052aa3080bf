// SPDX-License-Identifier: GPL-3.0-or-later
// Counterfactuals: the same step with one thing changed, and the blocks that must run in fp32.
#include "replay/engine/engine_parts.h"

#include <array>
#include <fmt/format.h>

namespace firstbad::replay {

namespace {

constexpr std::array<const char*, 6> kPrecisions{
    "fp64", "fp32", "fp16", "bf16", "mixed-fp16", "mixed-bf16"};

struct Counterfactual {
    std::string vary;
    std::string value;
    Variation variation;
};

std::vector<Counterfactual> counterfactuals(
    const core::Capsule& capsule, const core::ReplayRequest& request)
{
    std::vector<Counterfactual> out;
    const Variation own = variationOf(request);
    const auto add = [&](std::string vary, std::string value) -> Variation& {
        out.push_back({std::move(vary), std::move(value), own});
        return out.back().variation;
    };
    for (const char* precision : kPrecisions)
        add("precision", precision).precision = precision;
    if (capsule.precision.compute.starts_with("fp8-"))
        add("precision", capsule.precision.compute).precision = capsule.precision.compute;
    if (capsule.precision.lossScale != 1.0) {
        add("loss_scale", "1").lossScale = 1.0;
        const double backoff = capsule.scaler ? capsule.scaler->backoffFactor : 0.5;
        const double lower = capsule.precision.lossScale * backoff;
        add("loss_scale", fmt::format("{}", lower)).lossScale = lower;
    }
    for (const char* path : {"eager", "sdpa"})
        add("attention", path).attention = path;
    add("dropout", "off");
    return out;
}

/// Finds the blocks that must run in fp32: every block that is needed though all others are.
class Fp32Search
{
public:
    Fp32Search(ReplayEngine::Parts& parts, const Variation& own, core::JobContext& job)
        : m_parts(parts)
        , m_own(own)
        , m_job(job)
    {
        for (std::int64_t block = -1; block <= parts.context.model->shape().blocks; ++block)
            m_all.insert(block);
    }

    /// nullopt in `found` when even all blocks in fp32 fail.
    [[nodiscard]] core::Result<void> run(core::MatrixResult& found)
    {
        const auto all = passes(m_all);
        if (!all)
            return tl::unexpected(all.error());
        if (!*all)
            return {};
        std::set<std::int64_t> needed;
        for (const auto block : m_all) {
            auto others = m_all;
            others.erase(block);
            const auto without = passes(others);
            if (!without)
                return tl::unexpected(without.error());
            if (!*without)
                needed.insert(block);
        }
        const auto enough = passes(needed);
        if (!enough)
            return tl::unexpected(enough.error());
        found.fp32BlocksUnique = *enough;
        if (!*enough) {
            if (auto grown = shrink(needed); !grown)
                return grown;
        }
        found.fp32Blocks = std::vector<std::int64_t>(needed.begin(), needed.end());
        return {};
    }

private:
    [[nodiscard]] core::Result<bool> passes(const std::set<std::int64_t>& blocks)
    {
        Variation variation = m_own;
        variation.fp32Blocks = blocks;
        const auto record = m_parts.run(variation, {{}, false, true}, m_job);
        if (!record)
            return tl::unexpected(record.error());
        return !fails(*record);
    }

    /// One minimal set that holds `needed`: drops from all blocks what can go, last first.
    [[nodiscard]] core::Result<void> shrink(std::set<std::int64_t>& needed)
    {
        auto kept = m_all;
        for (auto block = m_all.rbegin(); block != m_all.rend(); ++block) {
            if (needed.contains(*block))
                continue;
            kept.erase(*block);
            const auto without = passes(kept);
            if (!without)
                return tl::unexpected(without.error());
            if (!*without)
                kept.insert(*block);
        }
        needed = std::move(kept);
        return {};
    }

    ReplayEngine::Parts& m_parts;
    const Variation& m_own;
    core::JobContext& m_job;
    std::set<std::int64_t> m_all;
};

}  // namespace

core::Result<core::MatrixResult> ReplayEngine::matrix(
    const core::ReplayRequest& request, const EngineEvents& events, core::JobContext& job)
{
    core::MatrixResult out;
    ReplayContext& context = m_parts->context;
    const auto list = counterfactuals(context.capsule, request);
    job.setStage("counterfactuals", list.size());
    for (const auto& one : list) {
        const auto record = m_parts->run(one.variation, {}, job);
        if (!record)
            return tl::unexpected(record.error());
        core::MatrixCell cell;
        cell.vary = one.vary;
        cell.precision = record->plan.precision.name;
        cell.value = one.value;
        cell.firstBad = firstBad(context, *record);
        cell.firstNan = firstNan(context, *record);
        cell.fails = cell.firstBad.has_value();
        cell.reproduced = reproducedAs(context, *record, cell.firstBad);
        cell.loss = record->loss;
        if (events.cell)
            events.cell(cell);
        out.cells.push_back(std::move(cell));
    }
    const Variation own = variationOf(request);
    const auto record = m_parts->run(own, {{}, false, true}, job);
    if (!record)
        return tl::unexpected(record.error());
    const bool half = isHalf(record->plan.precision.types.matmul);
    if (half && context.entryBad.empty() && !record->stopped && fails(*record)) {
        job.setStage("blocks in fp32", 0);
        if (auto found = Fp32Search(*m_parts, own, job).run(out); !found)
            return tl::unexpected(found.error());
    }
    return out;
}

}  // namespace firstbad::replay
