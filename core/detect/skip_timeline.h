// SPDX-License-Identifier: GPL-3.0-or-later
// SkipTimeline: which updates an attempt skipped, from counters, overflow lines or a falling scale.
//
// A skip is an independent fact: the scale may stay when an update is skipped (hysteresis, floor).
// Built once per attempt, linear in points and events; any thread once built.
#pragma once

#include "core/detect/trace.h"

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace firstbad::core {

/// `count` updates skipped somewhere in the steps [from, to]: one step when the log shows each.
struct SkippedUpdates {
    std::int64_t from = 0;
    std::int64_t to = 0;
    std::int64_t count = 0;
    std::int64_t shownAt = 0;  ///< step at which the log shows it: the onset of what begins here
    std::optional<double> before;  ///< scale before the first of them
    std::optional<double> after;  ///< and after the last
    bool inferred = false;  ///< seen only as a fall of the scale
    Evidence evidence;

    [[nodiscard]] bool fillsItsSteps() const noexcept { return count >= to - from + 1; }
};

struct SkipInput {
    const Run& run;
    std::size_t attempt;
    std::span<const Trace> counters;  ///< quantity skipped
    std::span<const Trace> scales;
    const Trace* clock = nullptr;  ///< the finest trace of the attempt; places events without steps
    std::vector<const LogEvent*> events;
};

class SkipTimeline
{
public:
    SkipTimeline() = default;
    explicit SkipTimeline(const SkipInput& input);

    [[nodiscard]] std::span<const SkippedUpdates> skips() const noexcept { return m_skips; }
    [[nodiscard]] std::int64_t total() const noexcept;
    /// True when the source has a counter, so that "no skip" is known and not only unseen.
    [[nodiscard]] bool isCounted() const noexcept { return m_counted; }
    /// The skips that touch the steps [from, to]; nullptr when there is none.
    [[nodiscard]] const SkippedUpdates* touching(std::int64_t from, std::int64_t to) const noexcept;

private:
    void addScales(std::span<const Trace> scales);

    std::vector<SkippedUpdates> m_skips;  // by step
    bool m_counted = false;
};

}  // namespace firstbad::core
