// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/scan_command.h"

#include "app/cli/input.h"
#include "core/judge/judge_file.h"
#include "core/present/json/scan_json.h"
#include "core/present/text/scan_text.h"
#include "core/restore/scan_place.h"

#include <algorithm>
#include <CLI/CLI.hpp>

namespace firstbad::cli {
namespace {

class ScanCommand : public CommandRun
{
public:
    void addOptions(CLI::App& app) override
    {
        app.add_option("PATH", m_paths, "Files and folders")->required()->type_name("PATH");
        app.add_flag("--all", m_all, "List every tensor, not only the bad ones (with --json)");
    }

    core::Result<Answer> run(const Environment& environment, core::JobContext& job) override
    {
        const auto found = core::findCheckpoints(m_paths, job);
        if (!found)
            return tl::unexpected(found.error());
        std::vector<core::CheckpointScan> scans;
        for (const core::CheckpointPlace& place : found->places) {
            auto scan = core::scanAndJudge(place, job);
            if (!scan)
                return tl::unexpected(std::move(scan.error()));
            scans.push_back(std::move(*scan));
        }
        Answer answer;
        answer.diagnostics = found->diagnostics;
        if (environment.json)
            answer.resultJson = core::scanJson(scans, m_all);
        else
            answer.text = render(
                core::scanText(scans, environment.style, environment.verbose), environment.style);
        answer.status = statusOfScans(scans);
        return answer;
    }

private:
    [[nodiscard]] static ExitStatus statusOfScans(const std::vector<core::CheckpointScan>& scans)
    {
        const bool bad = std::any_of(scans.begin(), scans.end(),
            [](const core::CheckpointScan& scan) { return core::holdsNonfinite(scan); });
        return statusOf(bad, core::worstVerdict(scans) != core::ScanVerdict::Finite);
    }

    std::vector<std::string> m_paths;
    bool m_all = false;
};

}  // namespace

std::unique_ptr<CommandRun> makeScanCommand()
{
    return std::make_unique<ScanCommand>();
}

}  // namespace firstbad::cli
