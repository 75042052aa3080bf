// SPDX-License-Identifier: GPL-3.0-or-later
// Decides which sources belong to one run (contracts.md 2: paths given together are one run unless
// their own identity says otherwise).
//
// Pure; compares at most a few thousand points a pair of sources; any thread.
#pragma once

#include "core/import/source.h"

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace firstbad::core {

/// Where a source was found.
struct SourcePlace {
    std::filesystem::path path;
    std::filesystem::path root;  ///< path the user named; equal to `path` for a single file
    std::string rootName;  ///< what to call the root; empty: its last part
};

/// How the curves of two sources that share a name stand to each other.
enum class CurveRelation : std::uint8_t {
    NothingShared,  ///< no common name, or no common step
    Same,  ///< the same values at common steps
    Continues,  ///< different values, but the later one starts inside the earlier one
    Different,  ///< two different curves over the same steps
    OneIsNonfinite,  ///< one shows only NaN or infinities where the other has numbers
};

[[nodiscard]] CurveRelation curveRelation(const SourceData& a, const SourceData& b);

/// "host.pid" of an event file's name: one process writes several of them. Empty when the name has
/// none.
[[nodiscard]] std::string eventFileWriter(const std::filesystem::path& path);

struct RunGroup {
    std::string id;  ///< shown name of the run, unique in the result
    std::vector<std::size_t> sources;  ///< indices, in the order given
};

/// Groups of sources, in the order in which their first source came.
[[nodiscard]] std::vector<RunGroup> groupRuns(
    const std::vector<SourceData>& sources, const std::vector<SourcePlace>& places);

}  // namespace firstbad::core
