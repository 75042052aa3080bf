// SPDX-License-Identifier: GPL-3.0-or-later
// What the name and folder of an event file say: the run, the order of files, add_scalars curves.
//
// Pure functions over names; nothing is read. Any thread.
#pragma once

#include "core/import/importer.h"

#include <optional>
#include <string>
#include <string_view>

namespace firstbad::core {

/// Seconds since 1970 in "events.out.tfevents.<seconds>.<host>...".
[[nodiscard]] std::optional<double> timeInEventFileName(std::string_view fileName);

/// The run of an event file: its folder below the path that the user named, `levelsUp` folders
/// higher.
[[nodiscard]] std::string runOfEventFile(const SourceRef& source, std::size_t levelsUp = 0);

/// add_scalars(tag, {key: ...}) writes the curve of each key under the unchanged tag into a folder
/// "<tag with / as _>_<key>"; a / in the key makes folders.
struct ScalarsCurve {
    std::string key;
    std::size_t levels = 0;  ///< folders that belong to the curve, not to the run
};
[[nodiscard]] std::optional<ScalarsCurve> scalarsCurve(
    const SourceRef& source, std::string_view tag);

}  // namespace firstbad::core
