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

std::vector<std::string> distinctNames(const std::vector<RunPtr>& runs)
{
    std::vector<std::string> names;
    for (const RunPtr& run : runs)
        names.push_back(run->id.value.empty() ? "(unnamed)" : run->id.value);
    if (names.size() < 2)
        return names;
    std::size_t shared = names[0].size();
    for (const std::string& name : names) {
        const auto end = std::mismatch(name.begin(), name.end(), names[0].begin(),
            names[0].begin() + static_cast<std::ptrdiff_t>(std::min(shared, names[0].size())));
        shared = std::min(shared, static_cast<std::size_t>(end.first - name.begin()));
    }
    const std::size_t slash = shared == 0 ? std::string::npos : names[0].rfind('/', shared - 1);
    for (std::string& name : names)
        name.erase(0, slash == std::string::npos ? 0 : slash + 1);
    return names;
}

std::string counted(std::uint64_t count, std::string_view one)
{
    return fmt::format(
        "{} {}{}", groupedInteger(static_cast<long long>(count)), one, count == 1 ? "" : "s");
}

}  // namespace firstbad::core
