// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/detect/join_rule.h"

#include "core/detect/finding_text.h"
#include "core/detect/quoted_field.h"
#include "core/ledger/disagreement_text.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>

namespace firstbad::core {
namespace {

/// The attempt whose ledgers carry that number in their header.
const AttemptView& attemptOf(const RunView& run, std::int64_t number)
{
    for (std::size_t i = 0; i < run.run->events.size(); ++i) {
        const LogEvent& event = run.run->events[i];
        const std::size_t attempt = run.run->eventAttempt[i];
        if (event.kind == EventKind::RunStart && attempt < run.attempts.size()
            && quotedInteger(event.text, "attempt") == number)
            return run.attempts[attempt];
    }
    return run.attempts.front();
}

Evidence evidence(std::string what, std::int64_t step)
{
    Evidence one;
    one.what = std::move(what);
    one.step = step;
    return one;
}

/// The first step on which ranks differ; what follows from it is told beside it.
void addDisagreement(
    const AttemptView& view, const LedgerAttempt& attempt, std::vector<Finding>& findings)
{
    if (attempt.disagreements.list.empty())
        return;
    constexpr std::size_t kQuoted = 8;
    const Disagreement& first = attempt.disagreements.list.front();
    Finding finding = makeFinding("join", IncidentKind::RankDisagreement, view, first.step,
        fmt::format("ranks disagree about {} at step {}: {}", first.field, first.step,
            disagreementText(first)));
    finding.confidence = 0.95;
    for (const Disagreement& one : attempt.disagreements.list) {
        if (one.step == first.step && finding.evidence.size() < kQuoted)
            finding.evidence.push_back(
                evidence(fmt::format("{}: {}", one.field, disagreementText(one)), one.step));
    }
    if (attempt.disagreements.total > finding.evidence.size())
        finding.evidence.push_back(
            evidence(fmt::format("{} fields of steps differ in all", attempt.disagreements.total),
                first.step));
    findings.push_back(std::move(finding));
}

void addHang(const AttemptView& view, const LedgerAttempt& attempt, std::vector<Finding>& findings)
{
    if (!attempt.hang)
        return;
    const Hang& hang = *attempt.hang;
    std::string title = fmt::format("{} waited", rankCount(hang.waiting.size()));
    if (!hang.op.empty())
        title += fmt::format(" in {}", hang.op);
    if (hang.stopped.size() == 1)
        title += fmt::format(" for rank {}", hang.stopped.front());
    else if (!hang.stopped.empty())
        title += fmt::format(" for ranks {}", rankRanges(hang.stopped));
    Finding finding = makeFinding("join", IncidentKind::Hang, view, hang.step, std::move(title));
    finding.confidence = hang.stopped.empty() ? 0.6 : 0.85;
    if (hang.stopped.size() == 1)
        finding.rank = hang.stopped.front();
    finding.evidence.push_back(evidence(hang.because, hang.step));
    findings.push_back(std::move(finding));
}

struct StatedKind {
    std::string_view code;
    IncidentKind kind;
    double confidence;
};

constexpr std::array<StatedKind, 2> kStated{{
    {"stale-gradient", IncidentKind::StaleGradient, 0.85},
    {"partial-skip", IncidentKind::NoUpdate, 0.8},
}};

void addStatement(
    const RunView& run, const LedgerStatement& statement, std::vector<Finding>& findings)
{
    const auto* const stated = std::find_if(kStated.begin(), kStated.end(),
        [&](const StatedKind& one) { return one.code == statement.code; });
    if (stated == kStated.end() || statement.steps.empty())
        return;
    Finding finding = makeFinding("join", stated->kind, attemptOf(run, statement.attempt),
        statement.steps.front(), statement.text);
    finding.confidence = stated->confidence;
    finding.endStep = statement.steps.back();
    finding.evidence.push_back(evidence(statement.text, statement.steps.front()));
    findings.push_back(std::move(finding));
}

}  // namespace

std::vector<Finding> evaluateJoin(const RunView& run, const Settings& settings, JobContext& job)
{
    static_cast<void>(settings);
    std::vector<Finding> findings;
    if (run.attempts.empty())
        return findings;
    for (const LedgerReport& report : run.ledgers) {
        for (const LedgerAttempt& attempt : report.attempts) {
            if (job.cancelled())
                return {};
            const AttemptView& view = attemptOf(run, attempt.group.attempt());
            addDisagreement(view, attempt, findings);
            addHang(view, attempt, findings);
        }
        for (const LedgerStatement& statement : report.statements)
            addStatement(run, statement, findings);
    }
    return findings;
}

}  // namespace firstbad::core
