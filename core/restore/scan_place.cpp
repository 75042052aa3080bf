// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/restore/scan_place.h"

#include "core/scan/scan_checkpoint.h"

#include <fmt/format.h>

namespace firstbad::core {
namespace {

void warnOfLink(const CheckpointPlace& place, Checkpoint& checkpoint)
{
    std::error_code failure;
    const auto status = std::filesystem::symlink_status(place.location, failure);
    if (failure || !std::filesystem::is_symlink(status))
        return;
    const auto target = std::filesystem::read_symlink(place.location, failure);
    CheckpointWarning warning;
    warning.code = "link-followed";
    warning.severity = "info";
    warning.file = place.shown;
    warning.text = fmt::format("{} is a link; {} was read.", place.shown, target.string());
    checkpoint.warnings.push_back(std::move(warning));
}

}  // namespace

Result<CheckpointScan> scanAndJudge(const CheckpointPlace& place, JobContext& job)
{
    auto opened = openPlace(place, job);
    if (!opened)
        return tl::unexpected(std::move(opened.error()));
    warnOfLink(place, *opened);
    job.setStage("scanning", bytesToScan(*opened));
    auto scan = scanCheckpoint(std::move(*opened), {}, job);
    if (!scan)
        return scan;
    scan->root = place.root;
    scan->rootFormat = place.rootFormat;
    if (auto judged = judgeFile(*scan, job); !judged)
        return tl::unexpected(std::move(judged.error()));
    return scan;
}

}  // namespace firstbad::core
