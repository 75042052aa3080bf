// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/capsule_input.h"

#include <filesystem>

namespace firstbad::cli {

core::Result<std::variant<core::Capsule, Answer>> openCapsule(const std::string& path)
{
    auto capsule = core::readCapsule(path, path);
    if (capsule)
        return std::move(*capsule);
    const core::Error& error = capsule.error();
    if (error.code != core::ErrorCode::Malformed && error.code != core::ErrorCode::Unsupported)
        return tl::unexpected(error);
    Answer answer;
    answer.resultJson = "null";
    answer.diagnostics.push_back({core::Severity::Error, "damaged-capsule", error.message,
        error.where.value_or(core::Where{path, {}, {}})});
    answer.status = ExitStatus::Damaged;
    return answer;
}

}  // namespace firstbad::cli
