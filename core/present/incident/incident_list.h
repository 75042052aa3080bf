// SPDX-License-Identifier: GPL-3.0-or-later
// IncidentList: the incidents of all runs worst first, each with what a list shows of it, the
// neighbourhood of its onset as a small curve included.
//
// makeIncidentList() is pure; linear in the points near each onset; any thread.
#pragma once

#include "core/base/job_context.h"
#include "core/base/result.h"
#include "core/detect/assessment.h"
#include "core/present/timeline/timeline.h"

#include <cstdint>
#include <string>
#include <vector>

namespace firstbad::core {

/// A curve of at most kPoints places, each between 0 and 1; bad ones hold a non-finite value.
struct Sparkline {
    static constexpr std::size_t kPoints = 48;
    struct Place {
        float low = 0.0F;
        float high = 0.0F;
        bool hasValue = false;
        bool isBad = false;
    };
    std::vector<Place> places;
    std::size_t onset = 0;  ///< index of the place that holds the onset
};

struct IncidentRow {
    std::string id;
    IncidentKind kind = IncidentKind::None;
    IncidentClass verdict = IncidentClass::Unknown;
    double confidence = 0.0;
    std::string title;
    std::size_t run = 0;  ///< index into the assessment's runs
    std::size_t attempt = 0;  ///< index into the run's attempts
    std::string attemptName;
    std::int64_t onset = 0;
    std::int64_t end = 0;
    StepWindow window;  ///< steps worth seeing around it
    Sparkline sparkline;
};

struct IncidentList {
    std::vector<IncidentRow> rows;  ///< worst first; benign ones last
    std::size_t faults = 0;
    std::size_t unknowns = 0;
    std::size_t benign = 0;
};

[[nodiscard]] Result<IncidentList> makeIncidentList(const Assessment& assessment, JobContext& job);

/// What a list shows of one attempt; depth is that of the tree.
struct AttemptRow {
    std::size_t run = 0;
    std::size_t attempt = 0;
    std::string name;
    std::size_t depth = 0;
    bool hasChildren = false;
    std::optional<std::int64_t> first;
    std::optional<std::int64_t> last;
    std::int64_t givenUpSteps = 0;
    AttemptEnd end = AttemptEnd::Unknown;
    std::string why;
};

/// All runs in order, in each the attempts depth first: a restart stands below what it continues.
[[nodiscard]] std::vector<AttemptRow> makeAttemptList(const Dataset& dataset);

}  // namespace firstbad::core
