// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/detect/speed_rule.h"

#include "core/base/value_kind.h"
#include "core/detect/finding_text.h"
#include "core/detect/rolling_level.h"

#include <fmt/format.h>

namespace firstbad::core {
namespace {

/// Quantities that grow when a step gets slower.
bool isTime(const Trace& trace)
{
    const Series& series = trace.series();
    const std::string_view unit
        = series.unit.empty() ? unitFromName(series.name, series.quantity) : series.unit;
    return series.quantity == Quantity::StepTime || unit == "ms" || unit == "s";
}

struct Slow {
    std::size_t from = 0;
    std::size_t points = 0;
    double level = 0.0;
};

class SlowScanner
{
public:
    SlowScanner(const Trace& trace, const Settings& settings)
        : m_trace(trace)
        , m_time(isTime(trace))
        , m_factor(settings.get("throughput.factor"))
        , m_needed(static_cast<std::size_t>(settings.get("throughput.points")))
        , m_level(static_cast<std::size_t>(settings.get("spike.window")))
    { }

    std::vector<Slow> scan()
    {
        for (std::size_t i = 0; i < m_trace.size(); ++i) {
            const double value = m_trace.value(i);
            if (!isFinite(value) || !(value > 0.0))
                continue;
            const double level = m_level.level().median;
            const bool slow = m_level.size() >= 16
                && (m_time ? value > m_factor * level : value * m_factor < level);
            if (slow) {
                if (m_now.points++ == 0) {
                    m_now.from = i;
                    m_now.level = level;
                }
                continue;
            }
            close();
            m_level.add(value);
        }
        close();
        return std::move(m_found);
    }

private:
    void close()
    {
        if (m_now.points >= m_needed)
            m_found.push_back(m_now);
        m_now = {};
    }

    const Trace& m_trace;
    bool m_time;
    double m_factor;
    std::size_t m_needed;
    RollingLevel m_level;
    Slow m_now;
    std::vector<Slow> m_found;
};

}  // namespace

std::vector<Finding> evaluateSpeed(const RunView& run, const Settings& settings, JobContext& job)
{
    std::vector<Finding> findings;
    for (const AttemptView& attempt : run.attempts) {
        if (job.cancelled())
            return {};
        for (const Trace& speed : attempt.speeds) {
            for (const Slow& slow : SlowScanner(speed, settings).scan()) {
                findings.push_back(makeFinding("speed", IncidentKind::ThroughputDrop, attempt,
                    speed.step(slow.from),
                    fmt::format("{} goes from {} to {} for {} point(s)", speed.series().name,
                        shown(slow.level), shown(speed.value(slow.from)), slow.points)));
                Finding& finding = findings.back();
                finding.evidence.push_back(
                    speed.evidence(slow.from, fmt::format("usual value {}", shown(slow.level))));
                const std::size_t last = slow.from + slow.points - 1;
                if (last + 1 < speed.size())
                    finding.endStep = speed.step(last);
                finding.unknown.push_back({"Is it the machine, the data loader or the network?",
                    "look at the time each rank spends waiting in these steps"});
            }
        }
    }
    return findings;
}

}  // namespace firstbad::core
