// SPDX-License-Identifier: GPL-3.0-or-later
// Trace: one series in one attempt as the rules see it: in step order, masks undone.
//
// Views the run's columns, which must outlive it; owns a copy only where the source is out of order
// or masks values. Move only. Any thread once built.
#pragma once

#include "core/detect/finding.h"
#include "core/series/run.h"

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace firstbad::core {

class Trace
{
public:
    /// `series` must have a column in `attempt`. With `history`, up to that many finite values of
    /// the attempts it continues are kept.
    Trace(const Run& run, const Series& series, std::size_t attempt, std::size_t history);
    Trace(Trace&&) noexcept = default;
    Trace& operator=(Trace&&) noexcept = default;
    Trace(const Trace&) = delete;
    Trace& operator=(const Trace&) = delete;
    ~Trace() = default;

    [[nodiscard]] const Series& series() const noexcept { return *m_series; }
    [[nodiscard]] const Column& column() const noexcept { return *m_column; }
    [[nodiscard]] std::size_t size() const noexcept { return m_values.size(); }
    [[nodiscard]] std::int64_t step(std::size_t i) const noexcept { return m_steps[i]; }
    [[nodiscard]] double value(std::size_t i) const noexcept { return m_values[i]; }
    [[nodiscard]] std::span<const std::int64_t> steps() const noexcept { return m_steps; }
    [[nodiscard]] std::span<const double> values() const noexcept { return m_values; }
    /// Typical distance of two points.
    [[nodiscard]] std::int64_t interval() const noexcept { return m_interval; }
    /// Finite values of the history that this attempt continues, oldest first.
    [[nodiscard]] std::span<const double> before() const noexcept { return m_before; }
    [[nodiscard]] std::size_t masked() const noexcept { return m_masked; }
    [[nodiscard]] std::optional<std::int32_t> rank() const noexcept;

    /// Index of the first point at or after `step`; size() when there is none.
    [[nodiscard]] std::size_t lowerBound(std::int64_t step) const noexcept;
    /// Value of the last point at or before `step`; nullopt when there is none.
    [[nodiscard]] std::optional<double> valueUpTo(std::int64_t step) const noexcept;
    [[nodiscard]] bool isAlways(double value) const noexcept;

    /// Evidence that quotes point `i`, with its line.
    [[nodiscard]] Evidence evidence(std::size_t i, std::string what) const;

private:
    [[nodiscard]] std::size_t point(std::size_t i) const noexcept;
    void sortByStep();
    void undoMasks();
    void takeHistory(const Run& run, std::size_t attempt, std::size_t limit);

    const Series* m_series;
    const Column* m_column;
    std::vector<std::int64_t> m_ownSteps;  // empty: the column's own
    std::vector<double> m_ownValues;
    std::vector<std::size_t> m_order;  // sorted position to point of the column; empty: the same
    std::span<const std::int64_t> m_steps;
    std::span<const double> m_values;
    std::vector<double> m_before;
    std::int64_t m_interval = 1;
    std::size_t m_masked = 0;
};

/// True for a value that stands for "not finite": a gradient norm cannot be negative.
[[nodiscard]] bool isMaskedValue(Quantity quantity, double value) noexcept;

}  // namespace firstbad::core
