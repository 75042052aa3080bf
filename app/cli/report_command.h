// SPDX-License-Identifier: GPL-3.0-or-later
// firstbad report: the incident report of a case or of paths, as HTML, Markdown or JSON.
#pragma once

#include "app/cli/command.h"

namespace firstbad::cli {

[[nodiscard]] std::unique_ptr<CommandRun> makeReportCommand();

inline constexpr Command kReportCommand{"report", "[PATH...]",
    "Write the incident report: what happened, with the evidence for it",
    "Writes one file that a colleague can read without firstbad: the five questions, the curves "
    "around the onset, the block map if the step was replayed, which checkpoint to restore, what "
    "is "
    "unknown, and every claim with its source, line and hash. The format follows from the name of "
    "the file (.html, .md, .json) or from --format. The same case gives the same bytes.",
    "firstbad report -o incident.html RUN/  # of the worst incident\n"
    "firstbad report --incident 2 --lang zh -o report.md  # of the case, in Chinese\n"
    "firstbad report --redact -o public.html  # without folders and quotations",
    makeReportCommand};

}  // namespace firstbad::cli
