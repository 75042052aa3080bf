// SPDX-License-Identifier: GPL-3.0-or-later
// Report: what is known of one incident, each claim with the evidence it stands on; and its texts.
//
// makeReport() is linear in the points near the onset and the events of the run; cancellable. The
// renderers are pure. The same case gives the same bytes: nothing here asks for the time or the
// machine. Plain values; any thread.
#pragma once

#include "core/base/job_context.h"
#include "core/base/result.h"
#include "core/detect/assessment.h"
#include "core/present/incident/questions.h"
#include "core/present/timeline/frame.h"
#include "core/present/timeline/timeline.h"
#include "core/protocol/replay_result.h"
#include "core/report/report_phrase.h"
#include "core/store/case_records.h"

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace firstbad::core {

/// What the case knows beside the logs. All may be empty.
struct ReportInput {
    std::string incidentId;  ///< empty: the worst incident
    std::string caseName;  ///< empty: made from paths
    std::vector<StatusChange> statuses;  ///< oldest first
    std::vector<Annotation> annotations;
    std::optional<ReplayResult> replay;  ///< newest sweep, bisect or replay of the step
    std::optional<MatrixResult> matrix;
    std::optional<IsolateResult> isolate;
    bool redact = false;  ///< leave out what people wrote and the folders of paths
};

struct ReportEvidence {
    std::string id;  ///< "E1"
    std::string place;  ///< "train.log:426"
    std::string what;
    std::string sha256;  ///< of the source; empty when it was not hashed
};

struct ReportAnswer {
    Question question;
    std::vector<std::string> evidence;  ///< ids
};

struct ReportFact {
    ReportPhrase label = ReportPhrase::Onset;
    std::string value;
};

struct ReportSave {
    std::string name;
    std::string status;  ///< committed, suspect, quarantined; empty when only the log names it
    std::string because;
    bool isPicked = false;  ///< the newest one that may be restored
};

/// One line of the checklist for going live, and what this case shows of it.
struct ReportCheck {
    ReportPhrase item = ReportPhrase::CheckBoundaries;
    enum class State : std::uint8_t { Shown, Violated, Unknown };
    State state = State::Unknown;
    std::string note;
};

struct ReportOther {
    std::string id;
    std::string kind;
    std::string verdict;
    std::string title;
    std::string attempt;
    std::int64_t onset = 0;
};

/// The curves around the onset.
struct ReportFigure {
    Timeline timeline;
    TimelineFrame frame;
    TimelineBand band;
};

struct Report {
    std::string title;
    std::string run;
    std::string caseName;
    Incident incident;
    std::string inShort;
    std::vector<ReportFact> facts;
    std::array<ReportAnswer, 5> answers;
    std::optional<ReportFigure> figure;
    std::optional<ReplayResult> replay;
    std::optional<MatrixResult> matrix;
    std::optional<IsolateResult> isolate;
    std::vector<ReportSave> saves;
    std::vector<Annotation> annotations;
    std::vector<std::string> against;  ///< sentences
    std::vector<Unknown> unknown;
    std::vector<std::string> limits;  ///< what the sources can not show
    std::vector<ReportCheck> checklist;
    std::vector<ReportOther> others;
    std::vector<ReportEvidence> evidence;
    std::string sourcesUpTo;  ///< ISO time of the newest point or event; empty when none has a time
    bool redacted = false;
};

/// "shown", "violated" or "not shown here".
[[nodiscard]] ReportPhrase phraseOf(ReportCheck::State state) noexcept;

/// NotFound when there is no such incident, or none at all.
[[nodiscard]] Result<Report> makeReport(
    const Assessment& assessment, const ReportInput& input, JobContext& job);

/// One self-contained page: inline SVG, no script, nothing loaded from anywhere; prints on A4.
[[nodiscard]] std::string reportHtml(const Report& report, ReportLanguage language);
[[nodiscard]] std::string reportMarkdown(const Report& report, ReportLanguage language);
/// The same facts for programs; language-independent.
[[nodiscard]] std::string reportJson(const Report& report);

}  // namespace firstbad::core
