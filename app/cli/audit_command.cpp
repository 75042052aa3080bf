// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/audit_command.h"

#include "app/cli/input.h"
#include "core/present/json/audit_json.h"
#include "core/present/look.h"
#include "core/present/text/audit_text.h"

#include <CLI/CLI.hpp>

namespace firstbad::cli {
namespace {

class AuditCommand : public CommandRun
{
public:
    void addOptions(CLI::App& app) override
    {
        app.add_option("PATH", m_paths, "Files and folders");
        m_input.addTo(app);
    }

    core::Result<Answer> run(const Environment& environment, core::JobContext& job) override
    {
        const auto assessment = m_input.loadAndAssess(m_paths, environment, job);
        if (!assessment)
            return tl::unexpected(assessment.error());
        Answer answer;
        answer.diagnostics = assessment->dataset->diagnostics;
        if (environment.json)
            answer.resultJson = core::auditJson(*assessment);
        else
            answer.text
                = render(core::auditText(*assessment, environment.style, environment.verbose),
                    environment.style);
        answer.status = statusOf(
            core::holdsErrorStatement(*assessment), core::holdsDamage(*assessment->dataset));
        return answer;
    }

private:
    std::vector<std::string> m_paths;
    InputOptions m_input;
};

}  // namespace

std::unique_ptr<CommandRun> makeAuditCommand()
{
    return std::make_unique<AuditCommand>();
}

}  // namespace firstbad::cli
