// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/look_command.h"

#include "app/cli/input.h"
#include "core/present/json/look_json.h"
#include "core/present/look.h"
#include "core/present/text/look_text.h"

#include <CLI/CLI.hpp>

namespace firstbad::cli {
namespace {

class LookCommand : public CommandRun
{
public:
    void addOptions(CLI::App& app) override
    {
        app.add_option("PATH", m_paths, "Files and folders")->required()->type_name("PATH");
        m_input.addTo(app);
    }

    core::Result<Answer> run(const Environment& environment, core::JobContext& job) override
    {
        auto assessment = m_input.loadAndAssess(m_paths, environment, job);
        if (!assessment)
            return tl::unexpected(std::move(assessment.error()));
        const core::Look look = core::makeLook(std::move(*assessment), m_paths);
        const core::Dataset& dataset = *look.assessment.dataset;
        Answer answer;
        if (environment.json) {
            answer.resultJson = core::lookJson(look);
            answer.diagnostics = dataset.diagnostics;
        } else {
            answer.text = render(
                core::lookText(look, environment.style, environment.verbose), environment.style);
        }
        answer.status = statusOf(core::holdsFault(look.assessment), core::holdsDamage(dataset));
        return answer;
    }

private:
    std::vector<std::string> m_paths;
    InputOptions m_input;
};

}  // namespace

std::unique_ptr<CommandRun> makeLookCommand()
{
    return std::make_unique<LookCommand>();
}

}  // namespace firstbad::cli
