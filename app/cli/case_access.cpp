// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/case_access.h"

#include <system_error>

namespace firstbad::cli {

core::Result<std::filesystem::path> findCaseFolder(const Environment& environment)
{
    if (!environment.casePath.empty())
        return std::filesystem::path(environment.casePath);
    std::error_code failed;
    const std::filesystem::path here = std::filesystem::current_path(failed);
    const auto found = failed ? std::nullopt : core::findCase(here);
    if (found)
        return *found;
    return core::fail(core::ErrorCode::NotFound, "There is no case here, and no path was named.",
        "Name files or folders to read, or a case with -C, or make one: firstbad init CASE");
}

core::Result<core::CaseStore> openCase(const Environment& environment, core::CaseAccess access)
{
    const auto folder = findCaseFolder(environment);
    if (!folder)
        return tl::unexpected(folder.error());
    return core::CaseStore::open(*folder, access);
}

core::Result<std::shared_ptr<const core::Dataset>> loadCase(
    const Environment& environment, core::JobContext& job)
{
    const auto store = openCase(environment, core::CaseAccess::Read);
    if (!store)
        return tl::unexpected(store.error());
    return store->loadDataset(job);
}

}  // namespace firstbad::cli
