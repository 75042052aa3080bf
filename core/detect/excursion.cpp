// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/detect/excursion.h"

#include "core/base/value_kind.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace firstbad::core {
namespace {

constexpr double kSigmaOfMad = 1.4826;
constexpr std::size_t kCancelStride = 1U << 16U;
constexpr std::size_t kFirstLevelPoints = 5;
constexpr std::size_t kEarlyPoints = 3;  // fewer values make no level

class Scanner
{
public:
    Scanner(const AttemptView& attempt, const Trace& trace, const SpikeLimits& limits)
        : m_attempt(attempt)
        , m_trace(trace)
        , m_limits(limits)
        , m_level(limits.window)
        , m_longGap(static_cast<std::int64_t>(limits.window) * trace.interval())
    {
        for (const double value : trace.before())
            m_level.add(value);
    }

    std::vector<Excursion> scan(std::size_t from, std::size_t to, JobContext& job)
    {
        for (std::size_t i = from; i < to; ++i) {
            if (i % kCancelStride == 0 && job.cancelled())
                return {};
            if (!isFinite(m_trace.value(i)) || isSkipped(i))
                continue;
            if (m_seen && m_trace.step(i) - *m_seen > m_longGap)
                forget();
            m_seen = m_trace.step(i);
            m_open ? follow(i) : look(i);
        }
        if (m_open)
            close(m_inRow > 0 && m_current.outPoints == 1);
        std::sort(m_found.begin(), m_found.end(),
            [](const Excursion& a, const Excursion& b) { return a.onset < b.onset; });
        return std::move(m_found);
    }

private:
    bool isSkipped(std::size_t i) const
    {
        const auto* skip = m_attempt.skips.touching(m_trace.step(i), m_trace.step(i));
        return skip != nullptr && skip->fillsItsSteps();
    }

    /// What was logged long ago is no recent level: an excerpt of another place begins here.
    void forget()
    {
        if (m_open)
            close(m_inRow > 0);
        m_level.clear();
        m_highest = 0.0;
    }

    double limitOf(const Level& level) const
    {
        if (level.count < kEarlyPoints)
            return m_highest * (1.0 + m_limits.shortShare);
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
        if (level.count < 1 || !(level.median > 0.0) || value <= limit) {
            m_highest = std::max(m_highest, value);
            noteWeak({i, i, i, 1, level, weakLimitOf(level), true, ExcursionKind::Weak});
            m_level.add(value);
            return;
        }
        m_open = true;
        m_inRow = 0;
        m_waiting.clear();
        const auto kind = level.count < kEarlyPoints ? ExcursionKind::Early : ExcursionKind::Strong;
        m_current = Excursion{i, i, i, 1, level, limit, false, kind};
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
        if (m_current.kind == ExcursionKind::Early || isStrong())
            m_found.push_back(m_current);
        else if (recovered && m_current.outPoints == 1)
            noteWeak({m_current.onset, m_current.onset, m_current.onset, 1, m_current.level,
                weakLimitOf(m_current.level), true, ExcursionKind::Weak});
    }

    double weakLimitOf(const Level& level) const
    {
        return level.median
            + std::max(m_limits.weakFactor * kSigmaOfMad * level.mad,
                m_limits.weakShare * std::abs(level.median));
    }

    /// Only beside a full history, and only if the value after it is back in the level.
    void noteWeak(Excursion weak)
    {
        const double value = m_trace.value(weak.onset);
        if (weak.level.count < m_limits.window || !(value > weak.limit))
            return;
        std::size_t next = weak.onset + 1;
        while (next < m_trace.size() && !isFinite(m_trace.value(next)))
            ++next;
        const bool back = next < m_trace.size() && m_trace.value(next) <= weak.limit;
        if (back && deviationsOfRatio(weak) > m_limits.ratioFactor && isOutOfRange(weak))
            m_found.push_back(std::move(weak));
    }

    /// Losses near zero scatter by factors, not by sums: the ratio has to be unusual too.
    double deviationsOfRatio(const Excursion& one) const
    {
        if (!(one.level.mad > 0.0))
            return std::numeric_limits<double>::infinity();
        return std::log(m_trace.value(one.peak) / one.level.median)
            / (kSigmaOfMad * one.level.mad / one.level.median);
    }

    /// A loss that fell from 3 to 0.01 still scatters by hundredths: that is the batch, not the
    /// run.
    bool isOutOfRange(const Excursion& one) const
    {
        const double fallen = std::max(m_firstLevel - one.level.median, 0.0);
        return m_trace.value(one.peak) - one.level.median >= m_limits.rangeShare * fallen;
    }

    bool isStrong() const
    {
        if (m_current.outPoints > 2)
            return deviationsOfRatio(m_current) > m_limits.ratioFactor;
        if (!(deviationsOfRatio(m_current) > m_limits.factor) || !isOutOfRange(m_current))
            return false;
        const Level& level = m_current.level;
        const double excess = m_trace.value(m_current.peak) - level.median;
        return excess > m_limits.singleFactor * kSigmaOfMad * level.mad
            && excess > m_limits.singleShare * std::abs(level.median);
    }

    const AttemptView& m_attempt;
    const Trace& m_trace;
    SpikeLimits m_limits;
    RollingLevel m_level;
    std::int64_t m_longGap;
    std::optional<std::int64_t> m_seen;  // step of the point before
    double m_firstLevel = 0.0;  // where the trace began
    double m_highest = 0.0;  // of the first values, before there is a level
    std::vector<Excursion> m_found;
    std::vector<double> m_waiting;  // back in the level, but not yet for long enough
    Excursion m_current;
    std::size_t m_inRow = 0;
    bool m_open = false;
};

}  // namespace

SpikeLimits limitsFor(Quantity quantity, const Settings& settings)
{
    const bool isLoss = quantity == Quantity::Loss;
    SpikeLimits limits;
    limits.factor = settings.get("spike.mad_factor");
    limits.share = settings.get(isLoss ? "spike.min_share" : "spike.grad_share");
    limits.ratioFactor = settings.get("spike.ratio_factor");
    limits.singleFactor = settings.get("spike.single_mad_factor");
    limits.singleShare = std::max(limits.share, settings.get("spike.single_share"));
    limits.weakFactor = settings.get("spike.weak_mad_factor");
    limits.weakShare = isLoss ? settings.get("spike.weak_share") : limits.share;
    limits.shortShare = std::max(limits.share, settings.get("spike.short_share"));
    limits.rangeShare = isLoss ? settings.get("spike.range_share") : 0.0;
    limits.minHistory = static_cast<std::size_t>(settings.get("spike.min_history"));
    limits.settle = static_cast<std::size_t>(settings.get("spike.settle_points"));
    limits.newLevel = static_cast<std::size_t>(settings.get("spike.new_level_points"));
    limits.window = static_cast<std::size_t>(settings.get("spike.window"));
    return limits;
}

std::vector<Excursion> findExcursions(const AttemptView& attempt, const Trace& trace,
    const SpikeLimits& limits, std::size_t from, std::size_t to, JobContext& job)
{
    return Scanner(attempt, trace, limits).scan(from, to, job);
}

}  // namespace firstbad::core
