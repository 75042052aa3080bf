// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/importer_check.h"

#include "core/import/load.h"
#include "core/present/series_selection.h"

#include <array>
#include <cstdlib>
#include <filesystem>
#include <fmt/format.h>
#include <fstream>
#include <system_error>

namespace firstbad::cli {
namespace {

namespace fs = std::filesystem;

/// A log of three steps whose middle loss is NaN.
struct BuiltInLog {
    const char* name;
    const char* text;
};

constexpr std::array<BuiltInLog, 4> kLogs{{
    {"metrics.csv", "step,loss,grad_norm\n1,2.5,0.5\n2,nan,0.25\n3,2.25,0.5\n"},
    {"metrics.jsonl",
        "{\"step\": 1, \"loss\": 2.5}\n{\"step\": 2, \"loss\": NaN}\n{\"step\": 3, \"loss\": "
        "2.25}\n"},
    {"metrics.json",
        "[{\"step\": 1, \"loss\": 2.5}, {\"step\": 2, \"loss\": NaN}, {\"step\": 3, \"loss\": "
        "2.25}]\n"},
    {"train.log",
        "step 1 loss: 2.5 lr: 0.1\nstep 2 loss: nan lr: 0.1\nstep 3 loss: 2.25 lr: 0.1\n"},
}};

/// Removed with everything in it at the end.
class ScratchFolder
{
public:
    ScratchFolder()
    {
        std::error_code failed;
        std::string name = (fs::temp_directory_path(failed) / "firstbad-XXXXXX").string();
        if (!failed && ::mkdtemp(name.data()) != nullptr)
            m_path = name;
    }
    ScratchFolder(const ScratchFolder&) = delete;
    ScratchFolder& operator=(const ScratchFolder&) = delete;
    ~ScratchFolder()
    {
        std::error_code ignored;
        if (!m_path.empty())
            fs::remove_all(m_path, ignored);
    }
    [[nodiscard]] const fs::path& path() const noexcept { return m_path; }

private:
    fs::path m_path;  // empty: could not be made
};

Check checkLog(const BuiltInLog& log, const fs::path& folder, core::JobContext& job)
{
    Check check{fmt::format("{} of three steps is read, its NaN kept", log.name), false, {}};
    const fs::path path = folder / log.name;
    std::ofstream(path, std::ios::binary) << log.text;
    const std::array<fs::path, 1> paths{path};
    const auto dataset = core::loadPaths(paths, {}, job);
    if (!dataset) {
        check.found = dataset.error().message;
        return check;
    }
    const auto entries = core::selectSeries(**dataset, {"loss", "", {}, {}});
    if (entries.size() != 1) {
        check.found = fmt::format("{} series called loss, 1 expected", entries.size());
        return check;
    }
    const core::ColumnSummary& summary = entries[0].summary;
    check.passed = entries[0].points() == 3 && summary.counts.nan == 1 && summary.sumFinite == 4.75
        && summary.firstNonfiniteStep == 2;
    check.found = fmt::format("{} points, {} NaN, sum of the others {}", entries[0].points(),
        summary.counts.nan, summary.sumFinite);
    return check;
}

}  // namespace

std::vector<Check> checkImporters(core::JobContext& job)
{
    const ScratchFolder folder;
    if (folder.path().empty())
        return {{"logs are read", false, "no temporary folder can be made (is TMPDIR writable?)"}};
    std::vector<Check> checks;
    for (const BuiltInLog& log : kLogs)
        checks.push_back(checkLog(log, folder.path(), job));
    return checks;
}

}  // namespace firstbad::cli
