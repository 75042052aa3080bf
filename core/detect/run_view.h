// SPDX-License-Identifier: GPL-3.0-or-later
// RunView: a run prepared for the rules, once for all of them: traces by quantity, skips, events.
//
// Views the run, which must outlive it. Move only; any thread once built. Linear in the points.
#pragma once

#include "core/detect/settings.h"
#include "core/detect/skip_timeline.h"
#include "core/detect/trace.h"
#include "core/ledger/ledger_report.h"

#include <optional>
#include <span>
#include <vector>

namespace firstbad::core {

struct AttemptView {
    std::size_t index = 0;
    const Attempt* attempt = nullptr;
    std::vector<Trace> losses;  ///< without running means
    std::vector<Trace> norms;  ///< without those that were never logged (always 0)
    std::vector<Trace> scales;
    std::vector<Trace> rates;  ///< learning rates
    std::vector<Trace> counters;  ///< skipped updates
    std::vector<Trace> nanCounters;
    std::vector<Trace> updateNorms;
    std::vector<Trace> speeds;  ///< throughput and step time
    std::vector<Trace> runningMeans;
    std::vector<Trace> others;  ///< everything else, evaluation losses and ledger counters too
    std::vector<const LogEvent*> events;
    SkipTimeline skips;
    std::int64_t interval = 1;  ///< of the finest trace
    std::optional<std::int64_t> first;
    std::optional<std::int64_t> last;

    /// The trace of that name among the others; nullptr when there is none.
    [[nodiscard]] const Trace* other(std::string_view name) const noexcept;
    /// First trace of the same rank; one without rank serves all.
    [[nodiscard]] static const Trace* ofRank(
        const std::vector<Trace>& traces, std::optional<std::int32_t> rank) noexcept;
    /// Steps that the point of a trace with `interval` stands for begin here.
    [[nodiscard]] static std::int64_t firstStepOf(const Trace& trace, std::size_t i) noexcept;
};

struct RunView {
    const Run* run = nullptr;
    std::vector<AttemptView> attempts;
    /// True when the log tells of a scaler: a scale that moved, or overflow lines.
    bool hasDynamicScale = false;
    /// What the ledgers of the run say, laid side by side; empty without ledgers.
    std::span<const LedgerReport> ledgers;

    RunView(const Run& source, const Settings& settings);
};

}  // namespace firstbad::core
