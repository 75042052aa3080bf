// SPDX-License-Identifier: GPL-3.0-or-later
// Evidence files: named files byte for byte as 1-D uint8 datasets of one HDF5 file.
//
// The adapter to HDF5 for evidence: its codes end here. Streams in pieces of 4 MiB; one thread.
#pragma once

#include "core/base/job_context.h"
#include "core/base/result.h"

#include <filesystem>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace firstbad::core {

/// One file to keep: its bytes, or the path that holds them.
struct EvidenceMember {
    std::string name;  ///< relative, '/' between folders
    std::string bytes;
    std::filesystem::path path;  ///< used when not empty
};

/// Writes `to` (replaced if it is there). On failure nothing is left.
[[nodiscard]] Result<void> writeEvidenceFile(
    const std::filesystem::path& to, const std::vector<EvidenceMember>& members, JobContext& job);

/// Names of all members.
[[nodiscard]] Result<std::vector<std::string>> evidenceMembers(const std::filesystem::path& file);

/// Hands over the bytes of one member piece by piece.
[[nodiscard]] Result<void> readEvidenceMember(const std::filesystem::path& file,
    const std::string& name, const std::function<Result<void>(std::string_view)>& take);

}  // namespace firstbad::core
