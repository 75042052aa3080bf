// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/input.h"
#include "core/detect/assess.h"

namespace firstbad::cli {

core::Result<core::Assessment> InputOptions::loadAndAssess(const std::vector<std::string>& paths,
    const Environment& environment, core::JobContext& job) const
{
    auto dataset = load(paths, environment, job);
    if (!dataset)
        return tl::unexpected(std::move(dataset.error()));
    return core::assess(std::move(*dataset), core::Settings(), job);
}

}  // namespace firstbad::cli
