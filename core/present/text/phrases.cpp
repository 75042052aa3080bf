// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/present/text/phrases.h"

#include "core/base/text.h"

#include <algorithm>
#include <fmt/format.h>

namespace firstbad::core {

std::string attemptName(const std::string& id)
{
    const bool number = !id.empty() && std::all_of(id.begin(), id.end(), isAsciiDigit);
    return number ? "a" + id : id;
}

std::string stepRange(
    const std::optional<std::int64_t>& first, const std::optional<std::int64_t>& last)
{
    if (!first || !last)
        return "no steps";
    if (*first == *last)
        return "step " + groupedInteger(*first);
    return fmt::format("{}–{}", groupedInteger(*first), groupedInteger(*last));
}

std::string verdictText(const Incident& incident)
{
    return fmt::format("{} {:.1f}", toString(incident.verdict), incident.confidence);
}

Role roleOf(IncidentClass verdict) noexcept
{
    switch (verdict) {
    case IncidentClass::Fault:
        return Role::Fault;
    case IncidentClass::Benign:
        return Role::Benign;
    case IncidentClass::Unknown:
        break;
    }
    return Role::Unknown;
}

std::string locusText(const Locus& locus)
{
    std::string text;
    const auto add = [&text](const std::string& part) {
        if (!part.empty())
            text += (text.empty() ? "" : " · ") + part;
    };
    if (locus.microStep)
        add(fmt::format("micro-step {}", *locus.microStep));
    if (locus.rank)
        add(fmt::format("rank {}", *locus.rank));
    add(locus.lane);
    add(locus.op);
    add(locus.tensor);
    return text;
}

std::string placeText(const Evidence& evidence)
{
    if (evidence.source.empty())
        return {};
    const std::string name = evidence.source.substr(evidence.source.rfind('/') + 1);
    return evidence.line ? fmt::format("{}:{}", name, *evidence.line) : name;
}

std::string endText(AttemptEnd end)
{
    switch (end) {
    case AttemptEnd::Finished:
        return "finished";
    case AttemptEnd::Exception:
        return "ended by an exception";
    case AttemptEnd::Signal:
        return "stopped by a signal";
    case AttemptEnd::Timeout:
        return "ended by a timeout";
    case AttemptEnd::Unknown:
        break;
    }
    return {};
}

std::string counted(std::uint64_t count, std::string_view one)
{
    return fmt::format(
        "{} {}{}", groupedInteger(static_cast<long long>(count)), one, count == 1 ? "" : "s");
}

}  // namespace firstbad::core
