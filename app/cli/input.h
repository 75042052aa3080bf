// SPDX-License-Identifier: GPL-3.0-or-later
// What a command reads: the paths that the user named, or the case when there are none.
//
// One thread. Reading is long: progress counts bytes; cancel within 100 ms.
#pragma once

#include "app/cli/command.h"
#include "core/detect/assessment.h"
#include "core/import/dataset.h"
#include "core/import/importer.h"

#include <memory>
#include <string>
#include <vector>

namespace firstbad::cli {

/// The options of every command that takes PATH...: --format and --map.
class InputOptions
{
public:
    void addTo(CLI::App& app);
    /// Only --map, for commands whose --format means something else.
    void addMappingTo(CLI::App& app);

    /// `paths` may be empty: then the case is read.
    [[nodiscard]] core::Result<std::shared_ptr<const core::Dataset>> load(
        const std::vector<std::string>& paths, const Environment& environment,
        core::JobContext& job) const;

    /// load() and assess().
    [[nodiscard]] core::Result<core::Assessment> loadAndAssess(
        const std::vector<std::string>& paths, const Environment& environment,
        core::JobContext& job) const;

    /// InvalidArgument for a mapping that is not THEIRS=OURS or a format that does not exist.
    [[nodiscard]] core::Result<core::ImportOptions> importOptions() const;

private:
    std::string m_format;
    std::vector<std::string> m_mappings;
};

/// 3 wins over 4 (contracts.md 2).
[[nodiscard]] ExitStatus statusOf(bool foundBad, bool foundDamage) noexcept;

/// Whether something of this name exists (a link to nowhere counts: it was meant as a path).
[[nodiscard]] bool isPath(const std::string& text);

}  // namespace firstbad::cli
