// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/detect/scale_check.h"

#include "core/base/compare.h"
#include "core/base/value_kind.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

namespace firstbad::core {
namespace {

/// One move, or hold, of the recorded scale over `steps` optimizer steps.
struct Move {
    std::int64_t step = 0;
    std::int64_t steps = 1;
    double before = 0.0;
    double after = 0.0;
    std::int64_t bad = 0;  ///< steps known to be bad
    bool badKnown = false;  ///< the log counts skips, so 0 means none
};

/// log2 of a ratio that is a power of two within print rounding; nullopt for anything else.
std::optional<int> powerOf(const Move& move, bool rounded)
{
    if (move.before == move.after)
        return 0;
    if (!(move.before > 0.0))
        return std::nullopt;
    if (!(move.after > 0.0))
        return rounded || move.before < 1.0 ? std::optional<int>(-1) : std::nullopt;
    const double exact = std::log2(move.after / move.before);
    const int whole = static_cast<int>(std::lround(exact));
    const double expected = std::ldexp(move.before, whole);
    const double tolerance = rounded ? 0.01 * expected : std::max(1e-6 * expected, 0.0);
    const bool printed = expected < 16.0 && within(move.after, expected, 0.05);
    return within(move.after, expected, tolerance) || printed ? std::optional<int>(whole)
                                                              : std::nullopt;
}

struct Candidate {
    ScalePolicy policy = ScalePolicy::Constant;
    std::int64_t window = 0;
    int hysteresis = 1;
    bool hasFloor = false;
};

/// All scaler states that fit what was read so far.
class FeasibleStates
{
public:
    explicit FeasibleStates(const Candidate& candidate)
        : m_candidate(candidate)
        , m_late(candidate.policy == ScalePolicy::DeepSpeedB
              || candidate.policy == ScalePolicy::DeepSpeedBConsecutive)
        , m_consecutive(candidate.policy == ScalePolicy::DeepSpeedAConsecutive
              || candidate.policy == ScalePolicy::DeepSpeedBConsecutive)
        , m_limit(m_late ? candidate.window : candidate.window - 1)
        , m_goodHigh(m_limit)
        , m_patienceHigh(candidate.hysteresis)
    { }

    /// Returns what the policy would have shown; equal to move.after when the move fits.
    bool take(const Move& move, int power, double floor)
    {
        if (m_candidate.policy == ScalePolicy::Constant)
            return power == 0;
        if (move.steps > 1)
            return takeMany(move, power);
        if (power < 0)
            return power == -1 && takeFall();
        if (power > 0)
            return power == 1 && move.bad == 0 && takeGrowth();
        return move.bad > 0 ? takeHeldBad(move, floor) : takeGood();
    }

private:
    bool takeFall()
    {
        if (m_patienceLow > 1)
            return false;
        m_goodLow = m_goodHigh = 0;
        m_patienceLow = m_patienceHigh = 1;
        return true;
    }

    /// A bad step without a move: hysteresis, or the floor.
    bool takeHeldBad(const Move& move, double floor)
    {
        m_goodLow = m_goodHigh = 0;
        if (m_candidate.hasFloor && move.after <= floor)
            return true;
        if (m_patienceHigh <= 1)
            return false;
        m_patienceLow = std::max(1, m_patienceLow - 1);
        --m_patienceHigh;
        return true;
    }

    bool takeGrowth()
    {
        if (m_goodHigh < m_limit)
            return false;
        m_goodLow = m_goodHigh = m_late ? 1 : 0;
        refill();
        return true;
    }

    bool takeGood()
    {
        m_goodHigh = std::min(m_goodHigh, m_limit - 1);
        if (m_goodLow > m_goodHigh)
            return false;
        ++m_goodLow;
        ++m_goodHigh;
        if (m_consecutive)
            refill();
        return true;
    }

    /// Several steps between two records: their order is unknown, so only the totals can be held
    /// against the policy.
    bool takeMany(const Move& move, int power)
    {
        const std::int64_t most = move.steps / std::max<std::int64_t>(1, m_candidate.window) + 1;
        if (power > most || -static_cast<std::int64_t>(power) > move.steps)
            return false;
        m_goodLow = 0;
        m_goodHigh = m_limit;
        m_patienceLow = 1;
        m_patienceHigh = m_candidate.hysteresis;
        return true;
    }

    void refill() { m_patienceLow = m_patienceHigh = m_candidate.hysteresis; }

    Candidate m_candidate;
    bool m_late;
    bool m_consecutive;
    std::int64_t m_limit;  // good steps before the one that grows
    std::int64_t m_goodLow = 0;
    std::int64_t m_goodHigh;
    int m_patienceLow = 1;
    int m_patienceHigh;
};

std::vector<Move> movesOf(const Trace& scale, const SkipTimeline& skips, bool before)
{
    std::vector<Move> moves;
    for (std::size_t i = 1; i < scale.size(); ++i) {
        Move move;
        move.step = scale.step(i);
        move.steps = std::max<std::int64_t>(1, scale.step(i) - scale.step(i - 1));
        move.before = scale.value(i - 1);
        move.after = scale.value(i);
        move.badKnown = skips.isCounted();
        const std::int64_t shift = before ? 1 : 0;
        const auto* skip = skips.touching(scale.step(i - 1) + 1 - shift, scale.step(i) - shift);
        move.bad = skip ? skip->count : 0;
        if (isFinite(move.before) && isFinite(move.after))
            moves.push_back(move);
    }
    return moves;
}

/// Only the overflow lines name scales: what lies between two of them is good or unknown.
std::vector<Move> movesOf(const SkipTimeline& skips)
{
    std::vector<Move> moves;
    std::optional<double> last;
    for (const SkippedUpdates& skip : skips.skips()) {
        if (!skip.before || !skip.after)
            continue;
        if (last)
            moves.push_back({skip.from, 1 << 30, *last, *skip.before, 0, false});
        moves.push_back({skip.from, 1, *skip.before, *skip.after, 1, true});
        last = skip.after;
    }
    return moves;
}

std::vector<std::int64_t> windowsOf(const std::vector<Move>& moves)
{
    std::vector<std::int64_t> windows;
    std::int64_t good = 0;
    std::int64_t longest = 0;
    for (const Move& move : moves) {
        if (move.after > move.before) {
            for (const std::int64_t one : {good + move.steps, good + move.steps - 1})
                windows.push_back(std::max<std::int64_t>(1, one));
        }
        good = move.after == move.before && move.bad == 0 ? good + move.steps : 0;
        longest = std::max(longest, good);
    }
    std::sort(windows.begin(), windows.end());
    windows.erase(std::unique(windows.begin(), windows.end()), windows.end());
    constexpr std::size_t kMost = 12;
    if (windows.size() > kMost)
        windows.resize(kMost);
    windows.push_back(std::max<std::int64_t>(1000, longest + 2));
    return windows;
}

struct Trial {
    Candidate candidate;
    bool consistent = true;
    std::int64_t fits = 0;  ///< moves before the first violation
    std::optional<PolicyViolation> violation;
};

double expectedAfter(const Move& move, const Candidate& candidate)
{
    if (candidate.policy == ScalePolicy::Constant || move.after > move.before)
        return move.before;
    return move.bad > 0 ? 0.5 * move.before : move.before;
}

Trial tryCandidate(const std::vector<Move>& moves, const Candidate& candidate, bool rounded)
{
    Trial trial{candidate, true, 0, std::nullopt};
    FeasibleStates states(candidate);
    double floor = 1.0;
    for (const Move& move : moves)
        floor = std::min(floor, move.after);
    for (const Move& move : moves) {
        const auto power = powerOf(move, rounded);
        if (!power || !states.take(move, *power, floor)) {
            trial.consistent = false;
            trial.violation
                = PolicyViolation{move.step, expectedAfter(move, candidate), move.after};
            return trial;
        }
        ++trial.fits;
    }
    return trial;
}

std::vector<Candidate> candidatesFor(const std::vector<Move>& moves)
{
    std::vector<Candidate> candidates{{ScalePolicy::Constant, 1, 1, false}};
    for (const std::int64_t window : windowsOf(moves)) {
        for (const ScalePolicy policy : kScalePolicies) {
            const ScaleRules rules = defaultRules(policy);
            if (policy == ScalePolicy::Constant)
                continue;
            candidates.push_back({policy, window, rules.hysteresis, rules.min > 0.0});
            if (rules.hysteresis > 1)
                candidates.push_back({policy, window, 1, true});
        }
    }
    return candidates;
}

/// How well a policy goes with the framework that wrote the log: breaks ties.
int affinity(ScalePolicy policy, std::string_view dialect)
{
    const std::string_view name = toString(policy);
    const auto family = name.substr(0, name.find('-'));
    return dialect.find(family) != std::string_view::npos ? 2
        : policy == ScalePolicy::PyTorch                  ? 1
                                                          : 0;
}

Trial bestOf(const std::vector<Move>& moves, std::string_view dialect, bool rounded)
{
    Trial best;
    best.fits = -1;
    for (const Candidate& candidate : candidatesFor(moves)) {
        const Trial trial = tryCandidate(moves, candidate, rounded);
        // A scale that never moved is constant, whatever else could explain it.
        if (candidate.policy == ScalePolicy::Constant && trial.consistent)
            return trial;
        const auto key = [&](const Trial& one) {
            return std::tuple(one.consistent, one.fits, affinity(one.candidate.policy, dialect));
        };
        if (best.fits < 0 || key(trial) > key(best))
            best = trial;
    }
    return best;
}

}  // namespace

ScaleVerdict checkScale(
    const Trace* scale, const SkipTimeline& skips, std::string_view dialect, bool rounded)
{
    ScaleVerdict verdict;
    const bool fromTrace = scale != nullptr && scale->size() > 1;
    const auto after = fromTrace ? movesOf(*scale, skips, false) : movesOf(skips);
    if (after.empty())
        return verdict;
    Trial best = bestOf(after, dialect, rounded);
    verdict.alignment = "after";
    if (fromTrace && !best.consistent) {
        const Trial other = bestOf(movesOf(*scale, skips, true), dialect, rounded);
        if (other.consistent || other.fits > best.fits) {
            best = other;
            verdict.alignment = "before";
        }
    }
    verdict.best = toString(best.candidate.policy);
    verdict.consistent = best.consistent;
    verdict.violation = best.violation;
    verdict.window = best.candidate.policy == ScalePolicy::Constant ? 0 : best.candidate.window;
    return verdict;
}

}  // namespace firstbad::core
