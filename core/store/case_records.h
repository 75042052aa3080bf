// SPDX-License-Identifier: GPL-3.0-or-later
// Small records of a case: annotations, status changes, jobs, entries of a bisect log.
//
// Plain values; any thread. `id` and `time` are set by the store when a record is appended.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace firstbad::core {

struct Annotation {
    std::int64_t id = 0;
    double time = 0.0;  ///< seconds since 1970
    std::string target;  ///< incident, attempt, "ATTEMPT:FROM-TO", source or checkpoint
    std::string note;
    std::string who;  ///< login name
    std::optional<std::int64_t> withdraws;  ///< id of the annotation that this row takes back
    std::optional<std::int64_t> withdrawnBy;  ///< when read: the row that took this one back
};

/// One change of a checkpoint's status (contracts.md 6).
struct StatusChange {
    std::int64_t id = 0;
    double time = 0.0;
    std::string checkpoint;
    std::string before;  ///< empty for the first
    std::string after;  ///< committed|suspect|quarantined
    std::string reason;
    std::string evidence;
    std::string who;  ///< "rule" or a login name
};

struct JobRecord {
    std::int64_t id = 0;
    double time = 0.0;  ///< of the end
    std::string kind;  ///< "add", "scan", ...
    std::string outcome;  ///< "done", "cancelled" or the error's sentence
    double seconds = 0.0;
    std::string detail;
};

/// What the user said a name of a source means; applied again whenever the case reads sources.
struct NameMapping {
    std::string theirs;  ///< as the source spells it
    std::string meaning;  ///< canonical: loss, step, ...
};

/// Something proven that is kept for good: a capsule, a result. The bytes lie in evidence/.
struct EvidenceRecord {
    std::int64_t id = 0;
    double time = 0.0;
    std::string kind;  ///< capsule|replay|sweep|bisect|matrix|isolate
    std::string name;  ///< of the capsule
    std::string content;  ///< SHA-256 of what it holds: the same is stored once
    std::string file;  ///< in the case: evidence/000012-0123456789abcdef.h5
    std::string body;  ///< JSON for people and programs: precision, left-out files, ...
};

struct BisectEntry {
    std::int64_t id = 0;
    double time = 0.0;
    std::string bisect;  ///< which search: the capsule's path
    std::int64_t n = 0;
    std::string probe;
    std::string verdict;  ///< good|bad|skip|start|reset
    std::string by;  ///< program|person
    std::string evidence;
};

}  // namespace firstbad::core
