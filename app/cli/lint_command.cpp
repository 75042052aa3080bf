// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/lint_command.h"

#include "app/cli/capsule_input.h"
#include "app/cli/input.h"
#include "core/capsule/lint.h"
#include "core/present/json/lint_json.h"
#include "core/present/text/lint_text.h"

#include <CLI/CLI.hpp>

namespace firstbad::cli {
namespace {

class LintCommand : public CommandRun
{
public:
    void addOptions(CLI::App& app) override
    {
        app.add_option("CAPSULE", m_path, "A capsule's folder")->required()->type_name("CAPSULE");
    }

    core::Result<Answer> run(const Environment& environment, core::JobContext& job) override
    {
        auto opened = openCapsule(m_path);
        if (!opened)
            return tl::unexpected(std::move(opened.error()));
        if (auto* refused = std::get_if<Answer>(&*opened))
            return std::move(*refused);
        const auto& capsule = std::get<core::Capsule>(*opened);
        const auto report = core::lintCapsule(capsule, job);
        if (!report)
            return tl::unexpected(report.error());
        Answer answer;
        answer.diagnostics = report->diagnostics;
        if (environment.json)
            answer.resultJson = core::lintJson(*report);
        else
            answer.text
                = render(core::lintText(capsule, *report, environment.style, environment.verbose),
                    environment.style);
        answer.status = statusOf(report->holdsError(), !report->diagnostics.empty());
        return answer;
    }

private:
    std::string m_path;
};

}  // namespace

std::unique_ptr<CommandRun> makeLintCommand()
{
    return std::make_unique<LintCommand>();
}

}  // namespace firstbad::cli
