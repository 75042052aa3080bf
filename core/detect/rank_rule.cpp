// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/detect/rank_rule.h"

#include "core/base/value_kind.h"
#include "core/detect/finding_text.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <map>

namespace firstbad::core {
namespace {

/// Fields that have to be equal on all ranks of a step.
constexpr std::array<std::string_view, 10> kShared{"loss_scale", "loss_scale_after",
    "learning_rate", "total_grad_norm", "skipped_step", "global_bad", "optimizer_steps",
    "schedule_steps", "consumed_samples", "consumed_tokens"};

std::string_view fieldOf(const Series& series)
{
    return std::string_view(series.name).substr(0, series.name.find(" [rank "));
}

struct RankTrace {
    const AttemptView* attempt;
    const Trace* trace;
};

/// Traces of one field by rank, over all attempts that are one launch on several ranks.
using Fields = std::map<std::string_view, std::vector<RankTrace>>;

void collect(const AttemptView& attempt, Fields& fields)
{
    for (const auto* traces :
        {&attempt.scales, &attempt.rates, &attempt.norms, &attempt.counters, &attempt.others}) {
        for (const Trace& trace : *traces) {
            const auto field = fieldOf(trace.series());
            if (trace.rank() && std::find(kShared.begin(), kShared.end(), field) != kShared.end())
                fields[field].push_back({&attempt, &trace});
        }
    }
}

bool sameValue(double a, double b)
{
    return a == b || (classify(a) == classify(b) && !isFinite(a));
}

/// First step that both log with different values.
std::optional<std::pair<std::size_t, std::size_t>> firstDifference(const Trace& a, const Trace& b)
{
    std::size_t j = 0;
    for (std::size_t i = 0; i < a.size(); ++i) {
        while (j < b.size() && b.step(j) < a.step(i))
            ++j;
        if (j < b.size() && b.step(j) == a.step(i)) {
            if (!sameValue(a.value(i), b.value(j)))
                return std::pair(i, j);
            ++j;
        }
    }
    return std::nullopt;
}

void compareRanks(const Fields& fields, std::vector<Finding>& findings)
{
    std::optional<Finding> earliest;
    for (const auto& [field, traces] : fields) {
        const Trace& first = *traces.front().trace;
        for (std::size_t r = 1; r < traces.size(); ++r) {
            const Trace& other = *traces[r].trace;
            if (other.rank() == first.rank() || traces[r].attempt != traces.front().attempt)
                continue;
            const auto at = firstDifference(first, other);
            if (!at || (earliest && first.step(at->first) >= earliest->onsetStep))
                continue;
            const std::int64_t step = first.step(at->first);
            earliest
                = makeFinding("rank", IncidentKind::RankDisagreement, *traces.front().attempt, step,
                    fmt::format("ranks {} and {} disagree about {} at step {}: {} against {}",
                        *first.rank(), *other.rank(), field, step, shown(first.value(at->first)),
                        shown(other.value(at->second))));
            earliest->confidence = 0.95;
            earliest->evidence.push_back(first.evidence(at->first, "value of one rank"));
            earliest->evidence.push_back(other.evidence(at->second, "value of the other"));
        }
    }
    if (earliest)
        findings.push_back(std::move(*earliest));
}

struct RankEnd {
    std::optional<std::int64_t> last;
    const LogEvent* end = nullptr;
};

/// A rank that raised while others were killed waiting for it.
void findHang(const AttemptView& attempt, std::vector<Finding>& findings)
{
    std::map<std::int32_t, RankEnd> ends;
    for (const LogEvent* event : attempt.events) {
        const bool isEnd = event->kind == EventKind::Exception || event->kind == EventKind::Signal
            || event->kind == EventKind::Timeout;
        if (event->rank && isEnd)
            ends[*event->rank].end = event;
    }
    const LogEvent* raised = nullptr;
    std::size_t waiting = 0;
    for (const auto& [rank, end] : ends) {
        if (end.end->kind == EventKind::Exception)
            raised = raised ? raised : end.end;
        else
            ++waiting;
    }
    if (!raised || waiting == 0)
        return;
    const std::int64_t step = attempt.last.value_or(0);
    Finding finding = makeFinding("rank", IncidentKind::Hang, attempt, step,
        fmt::format("rank {} raised, {} other rank(s) waited until they were ended", *raised->rank,
            waiting));
    finding.confidence = 0.8;
    finding.rank = raised->rank;
    Evidence quote;
    quote.what = raised->text;
    quote.step = step;
    quote.sourceIndex = raised->source;
    if (raised->line > 0)
        quote.line = raised->line;
    finding.evidence.push_back(std::move(quote));
    findings.push_back(std::move(finding));
}

}  // namespace

std::vector<Finding> evaluateRanks(const RunView& run, const Settings& settings, JobContext& job)
{
    static_cast<void>(settings);
    std::vector<Finding> findings;
    if (!run.ledgers.empty())
        return findings;  // the join of the ledgers knows more: join_rule
    for (const AttemptView& attempt : run.attempts) {
        if (job.cancelled())
            return {};
        Fields fields;
        collect(attempt, fields);
        compareRanks(fields, findings);
        findHang(attempt, findings);
    }
    return findings;
}

}  // namespace firstbad::core
