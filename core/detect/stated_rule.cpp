// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/detect/stated_rule.h"

#include "core/base/text.h"
#include "core/detect/finding_text.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>

namespace firstbad::core {
namespace {

// A curve this near to the stated step is a better witness than the sentence.
constexpr std::int64_t kNearSteps = 200;
// The rollback that answers an incident stands within this many events after it.
constexpr std::size_t kAnswerEvents = 8;

struct Word {
    std::string_view text;
    IncidentKind kind;
};

// First match wins: what is not finite before what is only high.
constexpr std::array kWords{
    Word{"nan", IncidentKind::NonfiniteLoss},
    Word{"inf ", IncidentKind::NonfiniteLoss},
    Word{"grad", IncidentKind::GradSpike},
    Word{"梯度", IncidentKind::GradSpike},
    Word{"loss", IncidentKind::LossSpike},
    Word{"炸", IncidentKind::LossSpike},
    Word{"diverg", IncidentKind::LossSpike},
    Word{"spike", IncidentKind::LossSpike},
    Word{"explo", IncidentKind::LossSpike},
    Word{"hang", IncidentKind::Hang},
    Word{"卡住", IncidentKind::Hang},
    Word{"stuck", IncidentKind::Hang},
};

/// What kind of incident the words tell of; None for a broken node and the like.
IncidentKind kindOf(const std::string& text)
{
    const auto* const word = std::find_if(kWords.begin(), kWords.end(),
        [&](const Word& one) { return containsIgnoringCase(text, one.text); });
    return word != kWords.end() ? word->kind : IncidentKind::None;
}

bool curveIsNear(const RunView& run, std::int64_t step)
{
    for (const AttemptView& attempt : run.attempts) {
        for (const Trace& loss : attempt.losses) {
            for (std::size_t i = 0; i < loss.size(); ++i) {
                if (loss.step(i) >= step - kNearSteps && loss.step(i) <= step + kNearSteps)
                    return true;
            }
        }
    }
    return false;
}

Evidence quoted(const LogEvent& event, std::string_view what)
{
    Evidence evidence;
    evidence.what = fmt::format("{}: {}", what, event.text);
    evidence.step = event.step;
    evidence.line = event.line;
    evidence.sourceIndex = event.source;
    return evidence;
}

/// The load that people answered the incident with.
const LogEvent* answerTo(const AttemptView& attempt, std::size_t incident)
{
    const std::int64_t step = *attempt.events[incident]->step;
    const std::size_t end = std::min(attempt.events.size(), incident + 1 + kAnswerEvents);
    for (std::size_t i = incident + 1; i < end; ++i) {
        const LogEvent& event = *attempt.events[i];
        if (event.kind == EventKind::Load && event.step && *event.step <= step)
            return &event;
    }
    return nullptr;
}

Finding stated(const AttemptView& attempt, std::size_t at, IncidentKind kind)
{
    const LogEvent& event = *attempt.events[at];
    Finding finding = makeFinding("stated", kind, attempt, *event.step,
        fmt::format("people wrote of {} at step {}", toString(kind), *event.step));
    finding.verdict = IncidentClass::Unknown;
    finding.confidence = 0.6;
    finding.evidence.push_back(quoted(event, "stated"));
    if (const LogEvent* load = answerTo(attempt, at)) {
        finding.evidence.push_back(quoted(*load, "answered by loading"));
        finding.restoreBeforeStep = load->step;
    }
    finding.unknown.push_back({"What do the numbers say? This source has none of them.",
        "add the event files or logs of that launch"});
    return finding;
}

}  // namespace

std::vector<Finding> evaluateStated(
    const RunView& run, const Settings& /*settings*/, JobContext& job)
{
    std::vector<Finding> findings;
    for (const AttemptView& attempt : run.attempts) {
        for (std::size_t i = 0; i < attempt.events.size(); ++i) {
            if (job.cancelled())
                return {};
            const LogEvent& event = *attempt.events[i];
            if (event.kind != EventKind::StatedIncident || !event.step)
                continue;
            const IncidentKind kind = kindOf(event.text);
            const bool repeated = !findings.empty() && findings.back().onsetStep == *event.step;
            if (kind != IncidentKind::None && !repeated && !curveIsNear(run, *event.step))
                findings.push_back(stated(attempt, i, kind));
        }
    }
    return findings;
}

}  // namespace firstbad::core
