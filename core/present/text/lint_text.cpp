// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/present/text/lint_text.h"

#include "core/base/text.h"
#include "core/present/text/line_builder.h"
#include "core/present/text/phrases.h"

#include <algorithm>
#include <fmt/format.h>

namespace firstbad::core {
namespace {

constexpr int kIndent = 22;
constexpr std::size_t kShortList = 5;

Role roleOf(Severity severity)
{
    return severity == Severity::Error ? Role::Fault : Role::Unknown;
}

void addCode(StyledText& out, const std::vector<const LintFinding*>& findings, std::uint64_t total,
    const TextStyle& style, bool verbose)
{
    const std::size_t shown = verbose ? findings.size() : std::min(kShortList, findings.size());
    for (std::size_t i = 0; i < shown; ++i) {
        LineBuilder line(style);
        if (i == 0) {
            line.add(findings[i]->severity == Severity::Error ? Mark::Fault : Mark::Unknown);
            line.add(" ").add(findings[i]->code, roleOf(findings[i]->severity));
        }
        std::string text = findings[i]->text;
        if (!findings[i]->sampleId.empty())
            text += fmt::format(" Sample {}.", findings[i]->sampleId);
        addWrapped(out, style, line, kIndent, text);
    }
    if (total > shown)
        out.push_back(LineBuilder(style)
                          .padTo(kIndent)
                          .add(fmt::format("and {} more places",
                                   groupedInteger(static_cast<long long>(total - shown))),
                              Role::Muted)
                          .take());
}

}  // namespace

StyledText lintText(
    const Capsule& capsule, const LintReport& report, const TextStyle& style, bool verbose)
{
    StyledText out;
    out.push_back(LineBuilder(style)
                      .addFromFile(capsule.shownPath, Role::Strong)
                      .add("  ")
                      .addFromFile(fmt::format("{} · step {} · {}", capsule.family,
                                       groupedInteger(capsule.step),
                                       counted(capsule.batches.size(), "micro-step")),
                          Role::Muted)
                      .take());
    for (const auto& [code, total] : report.counts) {
        std::vector<const LintFinding*> findings;
        for (const auto& finding : report.findings) {
            if (finding.code == code)
                findings.push_back(&finding);
        }
        addCode(out, findings, total, style, verbose);
    }
    if (report.counts.empty())
        out.push_back(LineBuilder(style)
                          .add(Mark::Benign)
                          .add(" nothing found: ids, positions, masks, labels and hashes fit")
                          .take());
    return out;
}

}  // namespace firstbad::core
