// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/present/text/audit_text.h"

#include "core/base/text.h"
#include "core/present/text/line_builder.h"
#include "core/present/text/phrases.h"

#include <algorithm>
#include <fmt/format.h>

namespace firstbad::core {
namespace {

constexpr int kIndent = 11;

std::string countOrUnknown(const std::optional<std::int64_t>& count)
{
    return count ? groupedInteger(*count) : std::string("not logged");
}

std::string clocksText(const Audit& audit)
{
    std::string text = fmt::format("iterations {} · updates {} · samples {} · tokens {}",
        countOrUnknown(audit.iterations), countOrUnknown(audit.updates),
        countOrUnknown(audit.samples), countOrUnknown(audit.tokens));
    if (audit.scheduleSteps)
        text += " · schedule " + groupedInteger(*audit.scheduleSteps);
    return text;
}

std::string skippedText(const Audit& audit, bool verbose)
{
    constexpr std::size_t kShown = 6;
    if (!audit.skippedTotal)
        return "the sources do not say which updates were skipped";
    if (*audit.skippedTotal == 0)
        return "none";
    std::string text = counted(static_cast<std::uint64_t>(*audit.skippedTotal), "update");
    const std::size_t shown
        = verbose ? audit.skippedRuns.size() : std::min(audit.skippedRuns.size(), kShown);
    for (std::size_t i = 0; i < shown; ++i) {
        const StepRun& run = audit.skippedRuns[i];
        text += i == 0 ? ": " : ", ";
        text += stepRange(run.from, run.to);
        if (run.length > 1)
            text += fmt::format(" ({} in a row)", groupedInteger(run.length));
    }
    if (shown < audit.skippedRuns.size())
        text += fmt::format(", {} more with -v", audit.skippedRuns.size() - shown);
    return text;
}

std::string scaleText(const Audit& audit)
{
    if (audit.scalePolicy == "none")
        return audit.firstViolation ? "no known policy explains it" : "no loss scale is logged";
    std::string text = audit.scalePolicy;
    if (!audit.scaleAlignment.empty())
        text += fmt::format(", logged {} the step's own update", audit.scaleAlignment);
    text += audit.scaleConsistent ? ", every move explained" : "";
    if (audit.firstViolation)
        text += fmt::format("; first deviation at {}: {} seen, {} expected",
            groupedInteger(audit.firstViolation->step), shortNumber(audit.firstViolation->seen),
            shortNumber(audit.firstViolation->expected));
    return text;
}

std::string scheduleText(const Audit& audit)
{
    if (!audit.scheduleDrift)
        return {};
    const std::string unit = audit.scheduleUnit.empty() ? "steps" : audit.scheduleUnit;
    if (*audit.scheduleDrift == 0)
        return fmt::format("in step with the updates ({})", unit);
    return fmt::format("{} {} {} the updates", groupedInteger(std::abs(*audit.scheduleDrift)), unit,
        *audit.scheduleDrift > 0 ? "ahead of" : "behind");
}

void addStatement(
    StyledText& out, const AuditStatement& statement, const TextStyle& style, bool verbose)
{
    constexpr std::size_t kShown = 8;
    const Mark mark = statement.severity == Severity::Error ? Mark::Fault
        : statement.severity == Severity::Warning           ? Mark::Unknown
                                                            : Mark::Benign;
    LineBuilder line(style);
    line.add(mark).add(" ").add(statement.code, Role::Strong);
    addWrapped(out, style, line, 24, statement.text);
    const std::size_t shown
        = verbose ? statement.steps.size() : std::min(statement.steps.size(), kShown);
    std::string steps;
    for (std::size_t i = 0; i < shown; ++i)
        steps += (i == 0 ? "steps " : ", ") + groupedInteger(statement.steps[i]);
    if (shown < statement.steps.size())
        steps += fmt::format(", {} more with -v", statement.steps.size() - shown);
    if (statement.steps.size() > 1)
        addLabelled(out, style, "", 24, steps, Role::Muted);
}

void addRunAudit(StyledText& out, const RunAssessment& run, const TextStyle& style, bool verbose)
{
    const Audit& audit = run.judgement.audit;
    addLabelled(out, style, "run", kIndent,
        run.run->id.value.empty() ? "(unnamed)" : run.run->id.value, Role::Strong);
    addLabelled(out, style, "clocks", kIndent, clocksText(audit));
    addLabelled(out, style, "skipped", kIndent, skippedText(audit, verbose));
    addLabelled(out, style, "scale", kIndent, scaleText(audit));
    if (const std::string schedule = scheduleText(audit); !schedule.empty())
        addLabelled(out, style, "schedule", kIndent, schedule);
    for (std::size_t i = 0; i < audit.masked.size(); ++i)
        addLabelled(out, style, i == 0 ? "masked" : "", kIndent,
            fmt::format("{}: {}", audit.masked[i].series, audit.masked[i].why));
    if (!audit.statements.empty())
        out.emplace_back();
    for (const AuditStatement& statement : audit.statements)
        addStatement(out, statement, style, verbose);
}

}  // namespace

StyledText auditText(const Assessment& assessment, const TextStyle& style, bool verbose)
{
    StyledText out;
    for (const RunAssessment& run : assessment.runs) {
        if (!out.empty())
            out.emplace_back();
        addRunAudit(out, run, style, verbose);
    }
    if (out.empty())
        out.push_back(
            LineBuilder(style).add("no run found: no source gave a step with a value").take());
    return out;
}

}  // namespace firstbad::core
