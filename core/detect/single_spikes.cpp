// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/detect/single_spikes.h"

#include "core/detect/finding_text.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <utility>

namespace firstbad::core {
namespace {

constexpr std::size_t kFew = 3;
constexpr double kStandsOut = 1.5;  // logarithm of the ratio, against the next lower one
constexpr std::size_t kMostQuoted = 200;

}  // namespace

SingleSpikes::SingleSpikes(const AttemptView& attempt, const Trace& trace, const Settings& settings)
    : m_attempt(attempt)
    , m_trace(trace)
    , m_weakRatio(settings.get("spike.weak_ratio"))
{ }

double SingleSpikes::ratioOf(const Excursion& spike) const
{
    return m_trace.value(spike.peak) / spike.level.median;
}

void SingleSpikes::addWeak(const Excursion& spike)
{
    m_singles.push_back({spike, ratioOf(spike), std::nullopt});
}

void SingleSpikes::add(const Excursion& spike, Finding finding)
{
    m_singles.push_back({spike, ratioOf(spike), std::move(finding)});
}

/// How many of the highest stand clear above all others.
std::size_t SingleSpikes::standOuts() const
{
    std::size_t clear = 0;
    for (std::size_t i = 0; i < std::min(kFew, m_singles.size() - 1); ++i) {
        if (std::log(m_singles[i].ratio) > kStandsOut * std::log(m_singles[i + 1].ratio))
            clear = i + 1;
    }
    return clear;
}

void SingleSpikes::tellAlone(Single& single, std::vector<Finding>& findings) const
{
    if (!single.finding)
        return;
    // The loss itself has to be well up; a norm alone is never called a fault.
    if (single.ratio < m_weakRatio && single.finding->kind == IncidentKind::LossSpike) {
        single.finding->verdict = IncidentClass::Unknown;
        single.finding->confidence = 0.4;
    }
    findings.push_back(std::move(*single.finding));
}

Finding SingleSpikes::gathered(std::size_t first) const
{
    const Single& highest = m_singles[first];
    const bool isLoss = m_trace.series().quantity == Quantity::Loss;
    const std::size_t count = m_singles.size() - first;
    Finding one = makeFinding("spike", isLoss ? IncidentKind::LossSpike : IncidentKind::GradSpike,
        m_attempt, m_trace.step(highest.spike.onset),
        fmt::format("{} single values of {} leave their level and are back at once, the highest "
                    "{} times its level of {}",
            count, m_trace.series().name, shown(highest.ratio), shown(highest.spike.level.median)));
    one.verdict = IncidentClass::Unknown;
    one.confidence = 0.4;
    one.peakStep = m_trace.step(highest.spike.peak);
    one.endStep = m_trace.step(highest.spike.last);
    one.recovered = true;
    one.rank = m_trace.rank();
    for (std::size_t i = first; i < std::min(m_singles.size(), first + kMostQuoted); ++i) {
        const Excursion& spike = m_singles[i].spike;
        one.evidence.push_back(m_trace.evidence(spike.peak,
            fmt::format("{} times the median {} (MAD {}) of {} finite values before",
                shown(m_singles[i].ratio), shown(spike.level.median), shown(spike.level.mad),
                spike.level.count)));
    }
    Evidence back;
    back.what = "each is back in its level at the next value: the training is not harmed by it";
    back.series = m_trace.series().name;
    back.step = one.onsetStep;
    one.against.push_back(std::move(back));
    one.unknown.push_back({"Are these batches bad, or only unlike the others?",
        "look at the samples of these steps; another run over the same data shows the same steps "
        "if it is the data"});
    return one;
}

void SingleSpikes::giveTo(std::vector<Finding>& findings)
{
    std::stable_sort(m_singles.begin(), m_singles.end(),
        [](const Single& a, const Single& b) { return a.ratio > b.ratio; });
    const bool many = m_singles.size() > kFew;
    std::size_t alone = many ? standOuts() : m_singles.size();
    for (std::size_t i = 0; i < alone; ++i)
        tellAlone(m_singles[i], findings);
    if (m_singles.size() - alone > 0)
        findings.push_back(gathered(alone));
    m_singles.clear();
}

}  // namespace firstbad::core
