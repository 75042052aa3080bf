// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/capsule/input_place.h"

#include "core/base/value_kind.h"

#include <algorithm>
#include <array>

namespace firstbad::core {
namespace {

constexpr std::array<std::string_view, 3> kOutOfRange{
    "id-out-of-range", "position-out-of-range", "label-out-of-range"};

bool isOutOfRange(const LintFinding& finding)
{
    return std::find(kOutOfRange.begin(), kOutOfRange.end(), finding.code) != kOutOfRange.end();
}

bool isInputFault(const LintFinding& finding)
{
    return isOutOfRange(finding) || finding.code == "nonfinite-input";
}

}  // namespace

std::optional<ReplayPlace> inputFirstBad(const LintReport& report)
{
    const LintFinding* first = nullptr;
    for (const auto& finding : report.findings) {
        if (isInputFault(finding) && (first == nullptr || finding.microStep < first->microStep))
            first = &finding;
    }
    if (first == nullptr)
        return std::nullopt;
    ReplayPlace place;
    place.lane = "input";
    place.tensor = first->tensor;
    place.kind = isOutOfRange(*first) ? "out-of-range"
                                      : std::string(toString(classify(first->value.value_or(0.0))));
    place.elementIndex = first->element;
    place.microStep = first->microStep.value_or(0);
    return place;
}

bool stopsAtInput(const LintReport& report)
{
    return std::any_of(report.findings.begin(), report.findings.end(), isOutOfRange);
}

}  // namespace firstbad::core
