// SPDX-License-Identifier: GPL-3.0-or-later
// readExcerpt(): the lines of a text source around one line, as they stand in it.
//
// For files of any size: reads forward through the source, keeps only the lines asked for. Long for
// a line far down; cancellable; any thread.
#pragma once

#include "core/base/job_context.h"
#include "core/base/result.h"

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace firstbad::core {

struct ExcerptLine {
    std::uint64_t number = 0;  ///< counted from 1
    std::string text;  ///< valid UTF-8, without controls; long lines are cut and say so
};

struct SourceExcerpt {
    std::vector<ExcerptLine> lines;
    bool reachesEnd = false;
    std::string encoding;
};

/// Lines [line - before, line + after] of the source. Archive members ("archive!member") and files
/// that hold no text are Unsupported.
[[nodiscard]] Result<SourceExcerpt> readExcerpt(const std::filesystem::path& path,
    std::uint64_t line, std::uint64_t before, std::uint64_t after, JobContext& job);

}  // namespace firstbad::core
