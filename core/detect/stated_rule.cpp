// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/detect/stated_rule.h"

#include "core/base/text.h"
#include "core/detect/finding_text.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <optional>
#include <utility>

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

bool sameHeading(const LogEvent& a, const LogEvent& b)
{
    return a.time && b.time && *a.time == *b.time && a.source == b.source;
}

/// The sentence under the same heading that says what kind of incident it was.
const LogEvent* sentenceWithKind(const AttemptView& attempt, std::size_t at)
{
    const LogEvent& event = *attempt.events[at];
    for (std::size_t i = at + 1; i > 0 && at + 1 - i <= kAnswerEvents; --i) {
        const LogEvent& one = *attempt.events[i - 1];
        const bool incident
            = one.kind == EventKind::StatedIncident && (i - 1 == at || sameHeading(one, event));
        if (incident && kindOf(one.text) != IncidentKind::None)
            return &one;
    }
    return nullptr;
}

/// True when a sentence under the same heading names the step, so that this one is its echo.
bool isPlacedElsewhere(const AttemptView& attempt, std::size_t at)
{
    const LogEvent& event = *attempt.events[at];
    return std::any_of(attempt.events.begin(), attempt.events.end(), [&](const LogEvent* one) {
        return one->kind == EventKind::StatedIncident && one->step && sameHeading(*one, event);
    });
}

/// The first load under the same heading.
const LogEvent* loadOfHeading(const AttemptView& attempt, std::size_t at)
{
    const LogEvent& event = *attempt.events[at];
    const std::size_t end = std::min(attempt.events.size(), at + 1 + kAnswerEvents);
    for (std::size_t i = at + 1; i < end; ++i) {
        const LogEvent& one = *attempt.events[i];
        if (one.kind == EventKind::Load && one.step && sameHeading(one, event))
            return &one;
    }
    return nullptr;
}

Finding begin(
    const AttemptView& attempt, IncidentKind kind, std::int64_t step, std::string_view preposition)
{
    Finding finding = makeFinding("stated", kind, attempt, step,
        fmt::format("people wrote of {} {} step {}", toString(kind), preposition, step));
    finding.verdict = IncidentClass::Unknown;
    finding.confidence = 0.6;
    finding.unknown.push_back({"What do the numbers say? This source has none of them.",
        "add the event files or logs of that launch"});
    return finding;
}

Finding stated(const AttemptView& attempt, std::size_t at, const LogEvent& words)
{
    const LogEvent& event = *attempt.events[at];
    Finding finding = begin(attempt, kindOf(words.text), *event.step, "at");
    finding.evidence.push_back(quoted(event, "stated"));
    if (&words != &event)
        finding.evidence.push_back(quoted(words, "under the same heading"));
    if (const LogEvent* load = answerTo(attempt, at)) {
        finding.evidence.push_back(quoted(*load, "answered by loading"));
        finding.restoreBeforeStep = load->step;
    }
    return finding;
}

/// An incident without a step that was answered by a load: it came after the step that was loaded.
Finding statedAfter(const AttemptView& attempt, std::size_t at, const LogEvent& load)
{
    const LogEvent& event = *attempt.events[at];
    Finding finding = begin(attempt, kindOf(event.text), *load.step, "after");
    finding.evidence.push_back(quoted(event, "stated, without its step"));
    finding.evidence.push_back(quoted(load, "answered by loading"));
    finding.confidence = 0.5;
    finding.restoreBeforeStep = load.step;
    return finding;
}

std::optional<Finding> judgeStated(const RunView& run, const AttemptView& attempt, std::size_t at)
{
    const LogEvent& event = *attempt.events[at];
    const LogEvent* words = sentenceWithKind(attempt, at);
    if (words == nullptr)
        return std::nullopt;
    if (event.step)
        return curveIsNear(run, *event.step) ? std::nullopt
                                             : std::optional(stated(attempt, at, *words));
    if (words != &event || isPlacedElsewhere(attempt, at))
        return std::nullopt;
    const LogEvent* load = loadOfHeading(attempt, at);
    return load && !curveIsNear(run, *load->step) ? std::optional(statedAfter(attempt, at, *load))
                                                  : std::nullopt;
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
            if (attempt.events[i]->kind != EventKind::StatedIncident)
                continue;
            auto finding = judgeStated(run, attempt, i);
            const bool repeated = finding && !findings.empty()
                && findings.back().onsetStep == finding->onsetStep
                && findings.back().kind == finding->kind;
            if (finding && !repeated)
                findings.push_back(std::move(*finding));
        }
    }
    return findings;
}

}  // namespace firstbad::core
