// SPDX-License-Identifier: GPL-3.0-or-later
// Look: what the first command shows: everything found, what it means, and what to do next.
//
// makeLook() is pure over an assessment; cheap next to judging; any thread.
#pragma once

#include "core/detect/assessment.h"
#include "core/present/comparison.h"
#include "core/restore/find_checkpoints.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace firstbad::core {

/// A checkpoint that was found. Its tensors were not read: its status can only be "suspect".
struct FoundSave {
    const FoundArtifact* artifact = nullptr;
    std::optional<std::int64_t> step;  ///< from its name
    std::string because;
};

struct NextCommand {
    std::string command;
    std::string why;
};

struct Look {
    Assessment assessment;
    std::vector<Comparison> comparisons;
    std::vector<FoundSave> saves;  ///< newest step first; artifacts live in the data set
    std::vector<NextCommand> next;
};

/// `paths` as the user named them, for the commands that are proposed.
[[nodiscard]] Look makeLook(Assessment assessment, const std::vector<std::string>& paths);

[[nodiscard]] bool holdsFault(const Assessment& assessment) noexcept;
[[nodiscard]] bool holdsDamage(const Dataset& dataset) noexcept;
[[nodiscard]] bool isDamaged(const SourceInfo& source) noexcept;

/// A path as a POSIX shell reads it back.
[[nodiscard]] std::string shellQuoted(const std::string& path);

}  // namespace firstbad::core
