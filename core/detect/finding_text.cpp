// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/detect/finding_text.h"

#include "core/base/text.h"

namespace firstbad::core {

Finding makeFinding(std::string_view rule, IncidentKind kind, const AttemptView& attempt,
    std::int64_t onset, std::string title)
{
    Finding finding;
    finding.rule = rule;
    finding.kind = kind;
    finding.verdict = defaultClass(kind);
    finding.confidence = 0.7;
    finding.attempt = attempt.index;
    finding.onsetStep = onset;
    finding.title = std::move(title);
    return finding;
}

std::string shown(double value)
{
    return shortNumber(value, 5);
}

}  // namespace firstbad::core
