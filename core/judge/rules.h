// SPDX-License-Identifier: GPL-3.0-or-later
// The rules of one file and of a file against its parent, and the table of all of them.
//
// Pure apart from reading the tensors of the checkpoint again; any thread; cancellable. A rule that
// cannot read a tensor leaves it out: the scan has told why.
#pragma once

#include "core/base/job_context.h"
#include "core/scan/checkpoint_scan.h"

#include <span>
#include <string_view>
#include <vector>

namespace firstbad::core {

struct FileRuleInput {
    const CheckpointScan& scan;
    JobContext& job;
    std::vector<CheckpointWarning>& warnings;

    [[nodiscard]] const Checkpoint& checkpoint() const noexcept { return scan.checkpoint; }
};

struct ParentRuleInput {
    const CheckpointScan& scan;
    const CheckpointScan& parent;
    JobContext& job;
    std::vector<CheckpointWarning>& warnings;
};

struct FileRule {
    std::string_view id;
    void (*evaluate)(const FileRuleInput& input) = nullptr;
};

struct ParentRule {
    std::string_view id;
    void (*evaluate)(const ParentRuleInput& input) = nullptr;
};

/// What a warning means for the status of a checkpoint that is finite otherwise.
struct WarningInfo {
    std::string_view code;
    bool closesGate = true;  ///< makes the checkpoint suspect until a person releases it
};

[[nodiscard]] std::span<const FileRule> fileRules() noexcept;
[[nodiscard]] std::span<const ParentRule> parentRules() noexcept;
/// True for a warning that keeps a checkpoint from being committed.
[[nodiscard]] bool closesGate(std::string_view code) noexcept;

void judgeZeroScales(const FileRuleInput& input);
void judgeFp8Inverse(const FileRuleInput& input);
void judgeFp8Amax(const FileRuleInput& input);
void judgeSecondMoments(const FileRuleInput& input);
void judgeMomentUnderflow(const FileRuleInput& input);
void judgeRows(const FileRuleInput& input);
void judgeCast(const FileRuleInput& input);
void judgeZeroTail(const FileRuleInput& input);
void judgeAllZero(const FileRuleInput& input);
void judgeUnreferenced(const FileRuleInput& input);
void judgeMissingKeys(const FileRuleInput& input);
void judgeReplicas(const FileRuleInput& input);
void judgeForensic(const FileRuleInput& input);

void compareTypes(const ParentRuleInput& input);
void compareZeros(const ParentRuleInput& input);
void compareBytes(const ParentRuleInput& input);
void compareDirection(const ParentRuleInput& input);
void compareKeys(const ParentRuleInput& input);

}  // namespace firstbad::core
