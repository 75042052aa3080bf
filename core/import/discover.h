// SPDX-License-Identifier: GPL-3.0-or-later
// Finds what to read below the paths that a user named.
//
// Walks folders in name order, never through a link that leads out of the folder named. Bounded
// memory: one small entry a file. Cancel within 100 ms.
#pragma once

#include "core/base/job_context.h"
#include "core/import/archive.h"
#include "core/import/dataset.h"
#include "core/import/importer.h"

#include <filesystem>
#include <span>
#include <vector>

namespace firstbad::core {

struct FoundSource {
    SourceRef ref;
    const Importer* importer = nullptr;
    std::uint64_t bytes = 0;
    std::filesystem::path
        root;  ///< the path the user named, or the folder an archive was unpacked to
    std::string rootName;  ///< set inside an archive: its file name
};

struct Discovery {
    std::vector<FoundSource> sources;
    std::vector<SourceInfo>
        notRead;  ///< with state and sentence: ignored, not recognised, no permission
    std::vector<FoundArtifact> checkpoints;
    std::vector<FoundArtifact> capsules;
    std::vector<UnpackedArchive>
        archives;  ///< hold the files that sources inside archives are read from
};

/// Fails when a named path does not exist or cannot be read at all, or on cancel.
[[nodiscard]] Result<Discovery> discover(
    std::span<const std::filesystem::path> paths, const ImportOptions& options, JobContext& job);

}  // namespace firstbad::core
