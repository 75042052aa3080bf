// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/series_command.h"

#include "app/cli/input.h"
#include "app/cli/nearest.h"
#include "core/present/json/series_json.h"
#include "core/present/look.h"
#include "core/present/series_selection.h"
#include "core/present/text/series_text.h"

#include <algorithm>
#include <CLI/CLI.hpp>
#include <fmt/format.h>

namespace firstbad::cli {
namespace {

using core::SeriesEntry;

class SeriesCommand : public CommandRun
{
public:
    void addOptions(CLI::App& app) override
    {
        app.add_option("NAME_OR_PATH", m_words, "A name, then files and folders");
        app.add_option("--name", m_filter.name, "The series, also if a file is called so")
            ->type_name("NAME");
        app.add_option("--attempt", m_filter.attempt, "Only this attempt")->type_name("A");
        app.add_option("--from", m_filter.fromStep, "First step")->type_name("STEP");
        app.add_option("--to", m_filter.toStep, "Last step")->type_name("STEP");
        app.add_flag("--csv", m_csv, "Print every point as CSV");
        m_input.addTo(app);
    }

    core::Result<Answer> run(const Environment& environment, core::JobContext& job) override
    {
        std::vector<std::string> paths = m_words;
        if (m_filter.name.empty() && !paths.empty() && !isPath(paths.front())) {
            m_filter.name = paths.front();
            paths.erase(paths.begin());
        }
        const auto dataset = m_input.load(paths, environment, job);
        if (!dataset)
            return tl::unexpected(explained(dataset.error(), paths));
        const std::vector<SeriesEntry> entries = core::selectSeries(**dataset, m_filter);
        if (entries.empty() && !m_filter.name.empty())
            return notFound(**dataset);
        return answerWith(entries, **dataset, environment);
    }

private:
    /// A single word that is neither a file nor, without a case, a name.
    [[nodiscard]] core::Error explained(
        core::Error error, const std::vector<std::string>& paths) const
    {
        if (paths.empty() && !m_words.empty() && error.code == core::ErrorCode::NotFound)
            error.message = fmt::format(
                "'{}' is no file or folder, and there is no case to look for a series in.",
                m_words.front());
        return error;
    }

    [[nodiscard]] core::Result<Answer> notFound(const core::Dataset& dataset) const
    {
        std::vector<std::string> names;
        for (const core::RunPtr& run : dataset.runs) {
            for (const core::Series& series : run->series)
                names.push_back(series.name);
        }
        const auto meant = nearest(m_filter.name, names);
        return core::fail(core::ErrorCode::NotFound,
            fmt::format("No series is called '{}'{}.", m_filter.name,
                names.empty() ? ", and none was found at all" : ""),
            meant ? fmt::format("Did you mean '{}'?", *meant)
                  : "firstbad series without a name lists them.");
    }

    [[nodiscard]] core::Result<Answer> answerWith(const std::vector<SeriesEntry>& entries,
        const core::Dataset& dataset, const Environment& environment) const
    {
        const bool named = !m_filter.name.empty();
        Answer answer;
        answer.diagnostics = dataset.diagnostics;
        if (environment.json)
            answer.resultJson = core::seriesJson(entries, named);
        else if (m_csv)
            answer.text = core::seriesCsv(entries);
        else if (named)
            answer.text
                = render(core::seriesPlotText(entries, environment.style, environment.verbose),
                    environment.style);
        else
            answer.text = entries.empty()
                ? "no series found\n"
                : render(core::seriesTableText(entries, environment.style, environment.verbose),
                    environment.style);
        const bool nonfinite = std::any_of(entries.begin(), entries.end(),
            [](const SeriesEntry& entry) { return entry.summary.counts.nonfinite() > 0; });
        answer.status = statusOf(nonfinite, core::holdsDamage(dataset));
        return answer;
    }

    std::vector<std::string> m_words;
    core::SeriesFilter m_filter;
    InputOptions m_input;
    bool m_csv = false;
};

}  // namespace

std::unique_ptr<CommandRun> makeSeriesCommand()
{
    return std::make_unique<SeriesCommand>();
}

}  // namespace firstbad::cli
