// SPDX-License-Identifier: GPL-3.0-or-later
// Rotated logs: train.log.2, train.log.1 and train.log are one stream, and a line may be cut by it.
//
// Looks at names in the file's own folder and at the last byte of the older neighbour. Any thread.
#pragma once

#include <filesystem>
#include <optional>
#include <string>

namespace firstbad::core {

struct Rotation {
    std::string stream;  ///< common name of all parts; empty when the file is not rotated
    double order = 0.0;  ///< older parts come first
    std::optional<std::filesystem::path> newer;  ///< the part that continues this one
    std::filesystem::path older;  ///< the part that this one continues; may be empty
    bool olderEndsOpen = false;  ///< its last line has no line end: the first line here goes on
};

[[nodiscard]] Rotation rotationOf(const std::filesystem::path& path);

/// The first line of a part, as it stands there.
[[nodiscard]] std::string firstLineOf(const std::filesystem::path& path);

}  // namespace firstbad::core
