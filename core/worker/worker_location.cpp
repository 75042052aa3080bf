// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/worker/worker_location.h"

#include <cstdlib>
#include <fmt/format.h>
#include <unistd.h>

namespace firstbad::core {
namespace {

constexpr auto kName = "firstbad-worker";

bool isProgram(const std::filesystem::path& path)
{
    std::error_code failed;
    return std::filesystem::is_regular_file(path, failed) && ::access(path.c_str(), X_OK) == 0;
}

}  // namespace

std::vector<std::filesystem::path> workerPlaces(const std::filesystem::path& executable)
{
    const auto folder = executable.parent_path();
    return {folder / kName, folder / "../libexec/firstbad" / kName, folder / "../libexec" / kName,
        folder / "../../replay/worker" / kName};  // the last one in a build tree
}

Result<std::filesystem::path> findWorker()
{
    if (const char* named = std::getenv("FIRSTBAD_WORKER"); named != nullptr && *named != '\0') {
        if (isProgram(named))
            return std::filesystem::path(named);
        return fail(ErrorCode::NotFound,
            fmt::format("FIRSTBAD_WORKER names {}, which is no program.", named),
            "Correct it, or unset it: the worker beside firstbad is found without.");
    }
    std::error_code failed;
    const auto self = std::filesystem::read_symlink("/proc/self/exe", failed);
    for (const auto& place : workerPlaces(self)) {
        if (!failed && isProgram(place))
            return place;
    }
    return fail(ErrorCode::NotFound, "The replay process firstbad-worker is not installed.",
        "Build firstbad with replay (it needs LibTorch), or name the program in FIRSTBAD_WORKER; "
        "firstbad doctor says what is missing.");
}

}  // namespace firstbad::core
