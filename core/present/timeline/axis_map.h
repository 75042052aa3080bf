// SPDX-License-Identifier: GPL-3.0-or-later
// AxisMap: where a step of an attempt lies on an axis that counts steps, updates, samples, tokens
// or time.
//
// Immutable once built, then safe on any thread. Building is linear in one series; a lookup is
// logarithmic in it. Steps themselves need no memory.
#pragma once

#include "core/base/job_context.h"
#include "core/base/result.h"
#include "core/present/text/plot_axis.h"
#include "core/series/run.h"

#include <cstdint>
#include <memory>
#include <vector>

namespace firstbad::core {

class AxisMap
{
public:
    AxisMap() = default;  ///< the step axis

    [[nodiscard]] StepAxis axis() const noexcept { return m_axis; }
    [[nodiscard]] bool isIdentity() const noexcept { return m_attempts.empty(); }
    /// Steps since each attempt began.
    [[nodiscard]] bool isAligned() const noexcept
    {
        return m_axis == StepAxis::Step && !m_attempts.empty();
    }

    /// Between two known points the axis is linear, beyond them it goes on as it ended.
    [[nodiscard]] double position(std::size_t attempt, double step) const noexcept;
    [[nodiscard]] double stepAt(std::size_t attempt, double position) const noexcept;

private:
    friend Result<std::shared_ptr<const AxisMap>> makeAxisMap(
        const Run& run, StepAxis axis, JobContext& job);
    friend Result<std::shared_ptr<const AxisMap>> makeAlignedAxis(const Run& run);

    struct Knots {
        std::vector<double> steps;  // ascending
        std::vector<double> positions;  // ascending, parallel
    };
    [[nodiscard]] static double interpolated(
        const std::vector<double>& from, const std::vector<double>& to, double value) noexcept;

    StepAxis m_axis = StepAxis::Step;
    std::vector<Knots> m_attempts;
};

/// NotFound when no source of the run says what the axis counts.
[[nodiscard]] Result<std::shared_ptr<const AxisMap>> makeAxisMap(
    const Run& run, StepAxis axis, JobContext& job);

/// Attempts side by side: each begins at 0.
[[nodiscard]] Result<std::shared_ptr<const AxisMap>> makeAlignedAxis(const Run& run);

/// What makeAxisMap() does not count: the number that a front end gives the aligned axis.
inline constexpr int kAlignedAxis = 100;

/// Smallest and largest position of the steps of all attempts.
[[nodiscard]] ValueRange axisRange(const Run& run, const AxisMap& axis);

/// The axes that makeAxisMap() can build, steps first. Cheap.
[[nodiscard]] std::vector<StepAxis> availableAxes(const Run& run);

}  // namespace firstbad::core
