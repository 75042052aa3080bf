// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/incidents_command.h"

#include "app/cli/input.h"
#include "core/base/text.h"
#include "core/present/json/incident_json.h"
#include "core/present/look.h"
#include "core/present/text/incident_list_text.h"
#include "core/present/text/incident_text.h"

#include <algorithm>
#include <CLI/CLI.hpp>
#include <fmt/format.h>

namespace firstbad::cli {
namespace {

bool isNumber(const std::string& word)
{
    return !word.empty() && std::all_of(word.begin(), word.end(), core::isAsciiDigit);
}

class IncidentsCommand : public CommandRun
{
public:
    void addOptions(CLI::App& app) override
    {
        app.add_option("ID_OR_PATH", m_words, "Numbers of incidents, then files and folders");
        m_input.addTo(app);
    }

    core::Result<Answer> run(const Environment& environment, core::JobContext& job) override
    {
        std::vector<std::string> paths;
        for (const std::string& word : m_words) {
            if (paths.empty() && isNumber(word) && !isPath(word))
                m_ids.push_back(word);
            else
                paths.push_back(word);
        }
        const auto assessment = m_input.loadAndAssess(paths, environment, job);
        if (!assessment)
            return tl::unexpected(assessment.error());
        return m_ids.empty() ? list(*assessment, environment) : details(*assessment, environment);
    }

private:
    [[nodiscard]] static Answer list(
        const core::Assessment& assessment, const Environment& environment)
    {
        Answer answer;
        answer.diagnostics = assessment.dataset->diagnostics;
        constexpr std::size_t kDetailed = 5;
        if (environment.json)
            answer.resultJson = core::incidentsJson(assessment);
        else
            answer.text = render(core::incidentListText(assessment, environment.style,
                                     {kDetailed, environment.verbose}),
                environment.style);
        answer.status
            = statusOf(core::holdsFault(assessment), core::holdsDamage(*assessment.dataset));
        return answer;
    }

    [[nodiscard]] core::Result<Answer> details(
        const core::Assessment& assessment, const Environment& environment) const
    {
        std::vector<core::PlacedIncident> chosen;
        const auto all = core::incidentsInOrder(assessment);
        for (const std::string& id : m_ids) {
            const auto found = std::find_if(all.begin(), all.end(),
                [&](const core::PlacedIncident& placed) { return placed.incident->id == id; });
            if (found == all.end())
                return core::fail(core::ErrorCode::NotFound,
                    fmt::format("There is no incident {}; there are {}.", id, all.size()),
                    "firstbad incidents without a number lists them.");
            chosen.push_back(*found);
        }
        Answer answer;
        answer.diagnostics = assessment.dataset->diagnostics;
        if (environment.json)
            answer.resultJson = core::incidentsJson(chosen);
        else
            answer.text = textOf(chosen, environment.style);
        const bool fault
            = std::any_of(chosen.begin(), chosen.end(), [](const core::PlacedIncident& placed) {
                  return placed.incident->verdict == core::IncidentClass::Fault;
              });
        answer.status = statusOf(fault, core::holdsDamage(*assessment.dataset));
        return answer;
    }

    [[nodiscard]] static std::string textOf(
        const std::vector<core::PlacedIncident>& chosen, const core::TextStyle& style)
    {
        std::string text;
        for (const core::PlacedIncident& placed : chosen) {
            text += text.empty() ? "" : "\n";
            text += render(core::incidentText(placed, style), style);
        }
        return text;
    }

    std::vector<std::string> m_words;
    std::vector<std::string> m_ids;
    InputOptions m_input;
};

}  // namespace

std::unique_ptr<CommandRun> makeIncidentsCommand()
{
    return std::make_unique<IncidentsCommand>();
}

}  // namespace firstbad::cli
