// SPDX-License-Identifier: GPL-3.0-or-later
// Incident: findings that belong together, with the verdict; and what the audit of updates says.
//
// Plain values; immutable once judged; any thread.
#pragma once

#include "core/base/ids.h"
#include "core/detect/finding.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace firstbad::core {

struct Incident {
    std::string id;  ///< "1", "2", ...: worst first, stable for the same input
    IncidentKind kind = IncidentKind::None;
    IncidentClass verdict = IncidentClass::Unknown;
    Severity severity = Severity::Info;
    double confidence = 0.0;
    std::string title;
    std::string run;
    std::string attempt;  ///< AttemptId
    std::int64_t onsetStep = 0;
    std::optional<std::int64_t> peakStep;
    std::optional<std::int64_t> endStep;
    std::optional<bool> recovered;
    std::optional<double> halfLifeSteps;
    std::vector<Evidence> evidence;
    std::vector<Evidence> against;
    std::vector<Unknown> unknown;
    std::optional<Locus> firstBad;
    std::optional<std::int64_t> restoreBeforeStep;  ///< newest step that may be restored, inclusive
    std::vector<Hypothesis> hypotheses;
    std::vector<std::string> related;  ///< ids of other incidents
};

struct StepRun {
    std::int64_t from = 0;
    std::int64_t to = 0;  ///< inclusive
    std::int64_t length = 0;  ///< skipped updates in it
};

struct AuditStatement {
    std::string code;  ///< contracts.md 2, audit codes
    Severity severity = Severity::Info;
    std::string text;
    std::vector<std::int64_t> steps;
};

struct PolicyViolation {
    std::int64_t step = 0;
    double expected = 0.0;
    double seen = 0.0;
};

/// Update accounting of one run: the four clocks, skips, scale policy, schedule, masked values.
struct Audit {
    std::string run;
    std::optional<std::int64_t> iterations;
    std::optional<std::int64_t> updates;
    std::optional<std::int64_t> samples;
    std::optional<std::int64_t> tokens;
    std::optional<std::int64_t> scheduleSteps;
    std::optional<std::int64_t> skippedTotal;
    std::vector<StepRun> skippedRuns;
    std::string scalePolicy = "none";
    std::string scaleAlignment;  ///< "after" or "before": where in the step the scale is logged
    bool scaleConsistent = false;
    std::optional<PolicyViolation> firstViolation;
    std::optional<std::int64_t> scheduleDrift;
    std::string scheduleUnit;
    struct Masked {
        std::string series;
        std::string why;
    };
    std::vector<Masked> masked;
    std::vector<AuditStatement> statements;
};

}  // namespace firstbad::core
