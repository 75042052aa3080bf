// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/detect/spike_rule.h"

#include "core/base/compare.h"
#include "core/base/text.h"
#include "core/base/value_kind.h"
#include "core/detect/finding_text.h"
#include "core/detect/rolling_level.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <limits>

namespace firstbad::core {
namespace {

constexpr double kSigmaOfMad = 1.4826;
constexpr std::size_t kCancelStride = 1U << 16U;

constexpr std::size_t kFirstLevelPoints = 5;

struct Limits {
    double factor;
    double share;
    double ratioFactor;
    double singleFactor;
    double singleShare;
    double shortShare;
    double rangeShare;
    std::size_t minHistory;
    std::size_t settle;
    std::size_t newLevel;
    std::size_t window;
};

Limits limitsFor(Quantity quantity, const Settings& settings)
{
    const bool isLoss = quantity == Quantity::Loss;
    const double share = settings.get(isLoss ? "spike.min_share" : "spike.grad_share");
    return {settings.get("spike.mad_factor"), share, settings.get("spike.ratio_factor"),
        settings.get("spike.single_mad_factor"),
        std::max(share, settings.get("spike.single_share")),
        std::max(share, settings.get("spike.short_share")),
        isLoss ? settings.get("spike.range_share") : 0.0,
        static_cast<std::size_t>(settings.get("spike.min_history")),
        static_cast<std::size_t>(settings.get("spike.settle_points")),
        static_cast<std::size_t>(settings.get("spike.new_level_points")),
        static_cast<std::size_t>(settings.get("spike.window"))};
}

/// One stretch of points above the level, as indices of the trace.
struct Excursion {
    std::size_t onset = 0;
    std::size_t peak = 0;
    std::size_t last = 0;
    std::size_t outPoints = 0;
    Level level;
    double limit = 0.0;
    bool recovered = false;
};

class Scanner
{
public:
    Scanner(const AttemptView& attempt, const Trace& trace, const Limits& limits)
        : m_attempt(attempt)
        , m_trace(trace)
        , m_limits(limits)
        , m_level(limits.window)
    {
        for (const double value : trace.before())
            m_level.add(value);
    }

    std::vector<Excursion> scan(JobContext& job) { return scan(0, m_trace.size(), job); }

    std::vector<Excursion> scan(std::size_t from, std::size_t to, JobContext& job)
    {
        for (std::size_t i = from; i < to; ++i) {
            if (i % kCancelStride == 0 && job.cancelled())
                return {};
            if (!isFinite(m_trace.value(i)) || isSkipped(i))
                continue;
            m_open ? follow(i) : look(i);
        }
        if (m_open)
            close(m_inRow > 0 && m_current.outPoints == 1);
        return std::move(m_found);
    }

private:
    bool isSkipped(std::size_t i) const
    {
        const auto* skip = m_attempt.skips.touching(m_trace.step(i), m_trace.step(i));
        return skip != nullptr && skip->fillsItsSteps();
    }

    double limitOf(const Level& level) const
    {
        const bool isShort = level.count < m_limits.minHistory;
        const double share = isShort ? m_limits.shortShare : m_limits.share;
        const double factor = isShort ? m_limits.singleFactor : m_limits.factor;
        return level.median
            + std::max(factor * kSigmaOfMad * level.mad, share * std::abs(level.median));
    }

    void look(std::size_t i)
    {
        const double value = m_trace.value(i);
        const Level level = m_level.level();
        const double limit = limitOf(level);
        if (level.count == kFirstLevelPoints)
            m_firstLevel = level.median;
        if (level.count < 3 || !(level.median > 0.0) || value <= limit) {
            m_level.add(value);
            return;
        }
        m_open = true;
        m_inRow = 0;
        m_waiting.clear();
        m_current = Excursion{i, i, i, 1, level, limit, false};
    }

    void follow(std::size_t i)
    {
        const double value = m_trace.value(i);
        if (value > m_current.limit) {
            m_inRow = 0;
            m_waiting.clear();
            m_current.last = i;
            ++m_current.outPoints;
            if (value > m_trace.value(m_current.peak))
                m_current.peak = i;
            if (m_current.outPoints >= m_limits.newLevel) {
                close(false);
                m_level.clear();
            }
            return;
        }
        m_waiting.push_back(value);
        if (++m_inRow >= m_limits.settle)
            close(true);
    }

    void close(bool recovered)
    {
        m_open = false;
        m_current.recovered = recovered;
        for (const double value : m_waiting)
            m_level.add(value);
        m_waiting.clear();
        if (isStrong())
            m_found.push_back(m_current);
    }

    /// Losses near zero scatter by factors, not by sums: the ratio has to be unusual too.
    double deviationsOfRatio() const
    {
        const Level& level = m_current.level;
        if (!(level.mad > 0.0))
            return std::numeric_limits<double>::infinity();
        return std::log(m_trace.value(m_current.peak) / level.median)
            / (kSigmaOfMad * level.mad / level.median);
    }

    bool isStrong() const
    {
        if (m_current.outPoints > 2)
            return deviationsOfRatio() > m_limits.ratioFactor;
        const Level& level = m_current.level;
        const double excess = m_trace.value(m_current.peak) - level.median;
        // A loss that fell from 3 to 0.01 still scatters by hundredths: that is the batch, not the
        // run.
        const double fallen = std::max(m_firstLevel - level.median, 0.0);
        if (!(deviationsOfRatio() > m_limits.factor) || excess < m_limits.rangeShare * fallen)
            return false;
        return excess > m_limits.singleFactor * kSigmaOfMad * level.mad
            && excess > m_limits.singleShare * std::abs(level.median);
    }

    const AttemptView& m_attempt;
    const Trace& m_trace;
    Limits m_limits;
    RollingLevel m_level;
    double m_firstLevel = 0.0;  // where the trace began
    std::vector<Excursion> m_found;
    std::vector<double> m_waiting;  // back in the level, but not yet for long enough
    Excursion m_current;
    std::size_t m_inRow = 0;
    bool m_open = false;
};

/// Steps from the peak until half of the excess is gone for three points in a row.
std::optional<double> halfLife(const Trace& trace, const Excursion& spike)
{
    const double half = spike.level.median + 0.5 * (trace.value(spike.peak) - spike.level.median);
    std::size_t below = 0;
    for (std::size_t i = spike.peak + 1; i < trace.size(); ++i) {
        below = isFinite(trace.value(i)) && trace.value(i) <= half ? below + 1 : 0;
        if (below == 3)
            return static_cast<double>(trace.step(i - 2) - trace.step(spike.peak));
    }
    return std::nullopt;
}

bool isNorm(const Trace& trace)
{
    return containsIgnoringCase(trace.series().name, "norm")
        && !containsIgnoringCase(trace.series().name, "norm_of");
}

/// Norms of updates or groups that left their level shortly before: the cause lies with them.
void addLeaders(
    const AttemptView& attempt, const Settings& settings, JobContext& job, Finding& finding)
{
    const Limits limits = limitsFor(Quantity::GradNorm, settings);
    constexpr std::int64_t kLead = 10;  // points
    std::size_t added = 0;
    for (const auto* traces : {&attempt.updateNorms, &attempt.others}) {
        for (const Trace& trace : *traces) {
            if (added >= 4 || (traces == &attempt.others && !isNorm(trace)))
                continue;
            const std::int64_t stride = trace.interval();
            const auto window = static_cast<std::int64_t>(limits.window + kLead);
            const std::size_t from = trace.lowerBound(finding.onsetStep - window * stride);
            const std::size_t to = trace.lowerBound(finding.onsetStep + 2 * stride);
            Limits lower = limits;
            lower.share = 0.5 * limits.share;
            for (const Excursion& lead : Scanner(attempt, trace, lower).scan(from, to, job)) {
                const std::int64_t step = trace.step(lead.onset);
                if (step > finding.onsetStep || step < finding.onsetStep - kLead * stride)
                    continue;
                finding.evidence.push_back(trace.evidence(lead.onset,
                    fmt::format("{} leaves its level of {} {} step(s) earlier", trace.series().name,
                        shown(lead.level.median), finding.onsetStep - step)));
                finding.damageFrom = std::min(finding.damageFrom.value_or(step), step);
                ++added;
                break;
            }
        }
    }
}

Finding report(const AttemptView& attempt, const Trace& trace, const Excursion& spike)
{
    const bool isLoss = trace.series().quantity == Quantity::Loss;
    const double peak = trace.value(spike.peak);
    Finding finding
        = makeFinding("spike", isLoss ? IncidentKind::LossSpike : IncidentKind::GradSpike, attempt,
            trace.step(spike.onset),
            fmt::format("{} leaves its level of {} and peaks at {}", trace.series().name,
                shown(spike.level.median), shown(peak)));
    finding.peakStep = trace.step(spike.peak);
    finding.recovered = spike.recovered;
    if (spike.recovered)
        finding.endStep = trace.step(spike.last);
    finding.halfLifeSteps = halfLife(trace, spike);
    finding.rank = trace.rank();
    finding.confidence = spike.level.count < 16 ? 0.6 : 0.85;
    finding.evidence.push_back(trace.evidence(spike.onset,
        fmt::format("first value above {} (median {}, MAD {} of {} finite values before)",
            shown(spike.limit), shown(spike.level.median), shown(spike.level.mad),
            spike.level.count)));
    if (spike.peak != spike.onset)
        finding.evidence.push_back(trace.evidence(spike.peak,
            fmt::format("peak, {} times the median", shown(peak / spike.level.median))));
    if (spike.recovered)
        finding.against.push_back(trace.evidence(spike.last,
            fmt::format("last value out of the level; back after {} point(s)", spike.outPoints)));
    finding.unknown.push_back({"Did the batch or the state cause it?",
        "replay the step with the same batch, and with another one"});
    return finding;
}

/// One or two values up a little and back at once: a noisy batch looks like that, and so does a bad
/// one.
bool isWeakSingle(const Trace& trace, const Excursion& spike, const Settings& settings)
{
    return spike.outPoints <= 2 && spike.recovered && trace.series().quantity == Quantity::Loss
        && trace.value(spike.peak) < settings.get("spike.weak_ratio") * spike.level.median;
}

/// Many weak singles say one thing: the batches are noisy. The highest stands for all.
void addWeak(std::vector<Finding> weak, std::vector<Finding>& findings)
{
    constexpr std::size_t kFew = 3;
    if (weak.size() > kFew) {
        const auto highest
            = std::max_element(weak.begin(), weak.end(), [](const Finding& a, const Finding& b) {
                  return orderedBefore(
                      a.evidence.back().value.value_or(0.0), b.evidence.back().value.value_or(0.0));
              });
        Finding one = *highest;
        one.title = fmt::format(
            "{} single values leave their level and are back at once; the highest: {}", weak.size(),
            one.title);
        weak.assign(1, std::move(one));
    }
    for (Finding& finding : weak) {
        finding.verdict = IncidentClass::Unknown;
        finding.confidence = 0.4;
        findings.push_back(std::move(finding));
    }
}

}  // namespace

std::vector<Finding> evaluateSpikes(const RunView& run, const Settings& settings, JobContext& job)
{
    std::vector<Finding> findings;
    for (const AttemptView& attempt : run.attempts) {
        for (const auto* traces : {&attempt.losses, &attempt.norms}) {
            for (const Trace& trace : *traces) {
                Scanner scanner(attempt, trace, limitsFor(trace.series().quantity, settings));
                std::vector<Finding> weak;
                for (const Excursion& spike : scanner.scan(job)) {
                    Finding finding = report(attempt, trace, spike);
                    const std::size_t own = finding.evidence.size();
                    addLeaders(attempt, settings, job, finding);
                    const bool alone = finding.evidence.size() == own;
                    auto& list = alone && isWeakSingle(trace, spike, settings) ? weak : findings;
                    list.push_back(std::move(finding));
                }
                addWeak(std::move(weak), findings);
            }
        }
    }
    return findings;
}

}  // namespace firstbad::core
