// SPDX-License-Identifier: GPL-3.0-or-later
// Loss-scale policies of the frameworks as state machines, to predict the scale and to check a log.
//
// Plain values; a step costs a few comparisons; any thread.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

namespace firstbad::core {

enum class ScalePolicy : std::uint8_t {
    PyTorch,
    Megatron,
    DeepSpeedA,  ///< to 0.17.0: doubles on the W-th good step
    DeepSpeedAConsecutive,
    DeepSpeedB,  ///< later: on the (W+1)-th
    DeepSpeedBConsecutive,
    Apex,
    Fairseq,
    Constant,
};

inline constexpr std::array kScalePolicies{ScalePolicy::PyTorch, ScalePolicy::Megatron,
    ScalePolicy::DeepSpeedA, ScalePolicy::DeepSpeedAConsecutive, ScalePolicy::DeepSpeedB,
    ScalePolicy::DeepSpeedBConsecutive, ScalePolicy::Apex, ScalePolicy::Fairseq,
    ScalePolicy::Constant};

/// "pytorch", "deepspeed-a", ...: the spelling of contracts.md.
[[nodiscard]] std::string_view toString(ScalePolicy policy) noexcept;

struct ScaleRules {
    double growth = 2.0;
    double backoff = 0.5;
    std::int64_t window = 2000;  ///< good steps until the scale grows
    int hysteresis = 1;  ///< bad steps until the first reduction
    double min = 0.0;
    double max = 0.0;  ///< 0: none
    double tolerance = 0.0;  ///< fairseq: share of overflows since the last move that reduces
};

/// What the framework does when nothing is configured.
[[nodiscard]] ScaleRules defaultRules(ScalePolicy policy) noexcept;

/// One scaler at work.
class ScaleMachine
{
public:
    ScaleMachine(ScalePolicy policy, const ScaleRules& rules, double scale);

    /// One optimizer step; `bad` means that a scaled gradient was not finite. Returns the scale
    /// after it.
    double step(bool bad);

    [[nodiscard]] double scale() const noexcept { return m_scale; }
    /// The policy ends the run here: minimum reached again (DeepSpeed when asked to, fairseq).
    [[nodiscard]] bool aborted() const noexcept { return m_aborted; }

private:
    void reduce();
    void grow();
    void stepBad();
    void stepGood();
    void stepFairseq(bool bad);

    ScalePolicy m_policy;
    ScaleRules m_rules;
    double m_scale;
    std::int64_t m_good = 0;  // good steps since the last bad one or growth
    int m_patience;
    std::int64_t m_index = 0;  // fairseq: step counter
    std::int64_t m_lastBad = -1;
    std::int64_t m_lastMove = -1;
    std::int64_t m_overflows = 0;
    bool m_aborted = false;
};

}  // namespace firstbad::core
