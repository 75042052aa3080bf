// SPDX-License-Identifier: GPL-3.0-or-later
// RunBuilder: runs written down by hand, for tests of everything that reads a Run.
//
// One thread; take() once.
#pragma once

#include "core/series/run.h"

#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace firstbad::test {

/// Values at steps first, first + every, ...
struct Values {
    std::int64_t first = 1;
    std::vector<double> values;
    std::int64_t every = 1;
};

class RunBuilder
{
public:
    RunBuilder() { attempt("1"); }

    /// Begins another attempt that continues `parent`.
    RunBuilder& attempt(std::string id, std::optional<std::size_t> parent = std::nullopt)
    {
        core::Attempt made;
        made.id.value = std::move(id);
        made.parent = parent;
        m_run.attempts.push_back(std::move(made));
        for (core::Series& series : m_run.series)
            series.columns.resize(m_run.attempts.size());
        return *this;
    }

    /// A series of the newest attempt; its quantity follows from the name.
    RunBuilder& series(
        const std::string& name, const Values& values, std::vector<std::int64_t> missing = {})
    {
        core::Column column;
        for (std::size_t i = 0; i < values.values.size(); ++i) {
            column.steps.push_back(values.first + static_cast<std::int64_t>(i) * values.every);
            column.values.push_back(values.values[i]);
        }
        column.missingSteps = std::move(missing);
        widen(column.steps);
        widen(column.missingSteps);
        place(name).columns.back() = std::make_shared<const core::Column>(std::move(column));
        return *this;
    }

    RunBuilder& runningMean(const std::string& name, const Values& values)
    {
        series(name, values);
        place(name).isRunningMean = true;
        return *this;
    }

    RunBuilder& event(core::EventKind kind, std::optional<std::int64_t> step, std::string text = {},
        std::optional<double> before = {}, std::optional<double> after = {})
    {
        core::LogEvent made;
        made.kind = kind;
        made.step = step;
        made.text = std::move(text);
        made.before = before;
        made.after = after;
        m_run.events.push_back(std::move(made));
        m_run.eventAttempt.push_back(m_run.attempts.size() - 1);
        return *this;
    }

    RunBuilder& traits(const std::function<void(core::LogTraits&)>& change)
    {
        change(m_run.traits);
        return *this;
    }

    [[nodiscard]] core::Run take() { return std::move(m_run); }

private:
    core::Series& place(const std::string& name)
    {
        for (core::Series& series : m_run.series) {
            if (series.name == name)
                return series;
        }
        core::Series made;
        made.name = name;
        made.quantity = core::quantityFromName(name);
        made.unit = core::unitFromName(name, made.quantity);
        made.columns.resize(m_run.attempts.size());
        m_run.series.push_back(std::move(made));
        return m_run.series.back();
    }

    void widen(const std::vector<std::int64_t>& steps)
    {
        core::Attempt& attempt = m_run.attempts.back();
        for (const std::int64_t step : steps) {
            attempt.firstStep = std::min(attempt.firstStep.value_or(step), step);
            attempt.lastStep = std::max(attempt.lastStep.value_or(step), step);
        }
    }

    core::Run m_run;
};

/// A calm series: `level` with a small ripple that repeats every seven points.
[[nodiscard]] inline std::vector<double> calm(std::size_t count, double level)
{
    std::vector<double> values;
    for (std::size_t i = 0; i < count; ++i)
        values.push_back(level * (1.0 + 0.01 * (static_cast<double>(i * 3 % 7) - 3.0) / 3.0));
    return values;
}

/// `values` with those from `at` on replaced.
[[nodiscard]] inline std::vector<double> with(
    std::vector<double> values, std::size_t at, const std::vector<double>& replaced)
{
    for (std::size_t i = 0; i < replaced.size() && at + i < values.size(); ++i)
        values[at + i] = replaced[i];
    return values;
}

}  // namespace firstbad::test
