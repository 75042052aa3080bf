// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/ledger_command.h"

#include "app/cli/case_access.h"
#include "app/cli/input.h"
#include "core/import/discover.h"
#include "core/ledger/ledger_file.h"
#include "core/ledger/ledger_report.h"
#include "core/present/json/ledger_json.h"
#include "core/present/text/ledger_text.h"

#include <algorithm>
#include <CLI/CLI.hpp>

namespace firstbad::cli {
namespace {

constexpr const char* kFormat = "ledger";

/// Ledgers found and read; holds the folders that archives were unpacked to until then.
core::Result<std::vector<core::RankLedgerPtr>> readFrom(
    const std::vector<std::filesystem::path>& paths, core::JobContext& job)
{
    const auto found = core::discover(paths, core::ImportOptions{}, job);
    if (!found)
        return tl::unexpected(found.error());
    std::vector<core::LedgerPath> ledgers;
    std::uint64_t bytes = 0;
    for (const core::FoundSource& source : found->sources) {
        if (source.importer->id != kFormat)
            continue;
        ledgers.push_back({source.ref.path, source.ref.shownPath});
        bytes += source.bytes;
    }
    job.setStage("reading ledgers", bytes);
    return core::readLedgers(ledgers, job);
}

core::Result<std::vector<std::filesystem::path>> ledgersOfCase(
    const Environment& environment, core::JobContext& job)
{
    const auto dataset = loadCase(environment, job);
    if (!dataset)
        return tl::unexpected(dataset.error());
    std::vector<std::filesystem::path> paths;
    for (const core::SourceInfo& source : (*dataset)->sources) {
        if (source.format == kFormat)
            paths.emplace_back(source.path);
    }
    return paths;
}

core::Diagnostics diagnosticsOf(const std::vector<core::RankLedgerPtr>& ledgers)
{
    core::Diagnostics diagnostics;
    for (const core::RankLedgerPtr& ledger : ledgers) {
        for (const core::LedgerDamage& damage : ledger->damage) {
            core::Where where{ledger->path, {}, {}};
            if (damage.line > 0)
                where.line = damage.line;
            diagnostics.push_back(
                {damage.mayBeGrowing ? core::Severity::Info : core::Severity::Warning, damage.code,
                    damage.reason, std::move(where)});
        }
    }
    return diagnostics;
}

bool isDamaged(const std::vector<core::RankLedgerPtr>& ledgers)
{
    return std::any_of(ledgers.begin(), ledgers.end(), [](const core::RankLedgerPtr& ledger) {
        return std::any_of(ledger->damage.begin(), ledger->damage.end(),
            [](const core::LedgerDamage& damage) { return !damage.mayBeGrowing; });
    });
}

class LedgerCommand : public CommandRun
{
public:
    void addOptions(CLI::App& app) override
    {
        app.add_option("PATH", m_paths, "Ledgers and folders that hold some");
    }

    core::Result<Answer> run(const Environment& environment, core::JobContext& job) override
    {
        std::vector<std::filesystem::path> paths(m_paths.begin(), m_paths.end());
        if (paths.empty()) {
            auto ofCase = ledgersOfCase(environment, job);
            if (!ofCase)
                return tl::unexpected(std::move(ofCase.error()));
            paths = std::move(*ofCase);
        }
        const auto ledgers = readFrom(paths, job);
        if (!ledgers)
            return tl::unexpected(ledgers.error());
        if (ledgers->empty())
            return core::fail(core::ErrorCode::NotFound, "No evidence ledger was found.",
                "Ledgers are *.ledger.jsonl files; resources/recorder writes them.");
        const auto reports = core::reportLedgers(*ledgers, job);
        if (!reports)
            return tl::unexpected(reports.error());
        Answer answer;
        answer.diagnostics = diagnosticsOf(*ledgers);
        if (environment.json)
            answer.resultJson = core::ledgerJson(*reports);
        else
            answer.text = render(core::ledgerText(*reports, environment.style, environment.verbose),
                environment.style);
        const bool fault = std::any_of(reports->begin(), reports->end(),
            [](const core::LedgerReport& report) { return report.holdsFault(); });
        answer.status = statusOf(fault, isDamaged(*ledgers));
        return answer;
    }

private:
    std::vector<std::string> m_paths;
};

}  // namespace

std::unique_ptr<CommandRun> makeLedgerCommand()
{
    return std::make_unique<LedgerCommand>();
}

}  // namespace firstbad::cli
