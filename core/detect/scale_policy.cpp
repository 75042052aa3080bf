// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/detect/scale_policy.h"

#include "core/base/value_kind.h"

#include <algorithm>

namespace firstbad::core {
namespace {

bool isConsecutive(ScalePolicy policy) noexcept
{
    return policy == ScalePolicy::DeepSpeedAConsecutive
        || policy == ScalePolicy::DeepSpeedBConsecutive;
}

bool growsOneLater(ScalePolicy policy) noexcept
{
    return policy == ScalePolicy::DeepSpeedB || policy == ScalePolicy::DeepSpeedBConsecutive;
}

}  // namespace

std::string_view toString(ScalePolicy policy) noexcept
{
    constexpr std::array<std::string_view, 9> kNames{"pytorch", "megatron", "deepspeed-a",
        "deepspeed-a-consecutive", "deepspeed-b", "deepspeed-b-consecutive", "apex", "fairseq",
        "constant"};
    return kNames.at(static_cast<std::size_t>(policy));
}

ScaleRules defaultRules(ScalePolicy policy) noexcept
{
    ScaleRules rules;
    switch (policy) {
    case ScalePolicy::PyTorch:
    case ScalePolicy::Constant:
        break;
    case ScalePolicy::Megatron:
    case ScalePolicy::DeepSpeedA:
    case ScalePolicy::DeepSpeedAConsecutive:
    case ScalePolicy::DeepSpeedB:
    case ScalePolicy::DeepSpeedBConsecutive:
        rules.window = 1000;
        rules.hysteresis = 2;
        rules.min = 1.0;
        break;
    case ScalePolicy::Apex:
        rules.max = 16777216.0;
        break;
    case ScalePolicy::Fairseq:
        rules.window = 16384;
        rules.min = 1e-4;
        break;
    }
    return rules;
}

ScaleMachine::ScaleMachine(ScalePolicy policy, const ScaleRules& rules, double scale)
    : m_policy(policy)
    , m_rules(rules)
    , m_scale(scale)
    , m_patience(rules.hysteresis)
{ }

double ScaleMachine::step(bool bad)
{
    if (m_policy == ScalePolicy::Fairseq)
        stepFairseq(bad);
    else if (m_policy != ScalePolicy::Constant)
        bad ? stepBad() : stepGood();
    return m_scale;
}

void ScaleMachine::reduce()
{
    if (m_policy == ScalePolicy::Fairseq && m_scale * m_rules.backoff <= m_rules.min) {
        m_aborted = true;  // the scale is put back: the run ends with the old one
        return;
    }
    m_scale = std::max(m_scale * m_rules.backoff, m_rules.min);
}

void ScaleMachine::grow()
{
    const double grown = m_scale * m_rules.growth;
    if (!isFinite(grown))
        return;
    m_scale = m_rules.max > 0.0 ? std::min(grown, m_rules.max) : grown;
}

void ScaleMachine::stepBad()
{
    m_good = 0;
    if (m_patience <= 1) {
        reduce();
        return;
    }
    --m_patience;
}

void ScaleMachine::stepGood()
{
    if (isConsecutive(m_policy))
        m_patience = m_rules.hysteresis;
    if (growsOneLater(m_policy)) {
        // Counts the good steps before this one, so the first window ends one step later.
        if (m_good > 0 && m_good % m_rules.window == 0) {
            grow();
            m_patience = m_rules.hysteresis;
        }
        ++m_good;
        return;
    }
    if (++m_good == m_rules.window) {
        grow();
        m_good = 0;
        m_patience = m_rules.hysteresis;
    }
}

void ScaleMachine::stepFairseq(bool bad)
{
    if (bad) {
        const double share
            = static_cast<double>(m_overflows + 1) / static_cast<double>(m_index - m_lastMove);
        m_lastBad = m_index;
        ++m_overflows;
        if (share >= m_rules.tolerance) {
            reduce();
            m_lastMove = m_index;
            m_overflows = 0;
        }
    } else if ((m_index - m_lastBad) % m_rules.window == 0) {
        grow();
        m_lastMove = m_index;
    }
    ++m_index;
}

}  // namespace firstbad::core
