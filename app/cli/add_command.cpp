// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/add_command.h"

#include "app/cli/case_access.h"
#include "app/cli/input.h"
#include "core/base/json_writer.h"
#include "core/base/text.h"
#include "core/detect/assess.h"
#include "core/import/load.h"
#include "core/present/json/source_json.h"
#include "core/present/look.h"
#include "core/present/text/line_builder.h"
#include "core/present/text/notes_text.h"
#include "core/present/text/phrases.h"

#include <algorithm>
#include <CLI/CLI.hpp>
#include <fmt/format.h>

namespace firstbad::cli {
namespace {

std::vector<core::RunIncidents> incidentsOf(const core::Assessment& assessment)
{
    std::vector<core::RunIncidents> all;
    for (const core::RunAssessment& run : assessment.runs)
        all.push_back({run.run->id.value, run.judgement.incidents});
    return all;
}

std::string addedText(
    const core::AddReport& report, const core::Dataset& dataset, const Environment& environment)
{
    constexpr int kIndent = 11;
    core::StyledText out;
    for (const core::AddedSource& source : report.sources) {
        const bool dull = source.change == core::SourceChange::Unchanged;
        if (!dull || environment.verbose)
            core::addLabelled(
                out, environment.style, toString(source.change), kIndent, source.path);
    }
    const auto unchanged = std::count_if(
        report.sources.begin(), report.sources.end(), [](const core::AddedSource& source) {
            return source.change == core::SourceChange::Unchanged;
        });
    if (unchanged > 0 && !environment.verbose)
        core::addLabelled(out, environment.style, "unchanged", kIndent,
            core::counted(static_cast<std::uint64_t>(unchanged), "source"));
    core::addLabelled(out, environment.style, "stored", kIndent,
        report.anythingNew ? fmt::format("{}, {}", core::counted(report.newPoints, "new point"),
            core::humanBytes(report.newSegmentBytes))
                           : std::string("nothing new"));
    core::addNotes(out, dataset, environment.style, kIndent, environment.verbose);
    return render(out, environment.style);
}

std::string addedJson(const core::AddReport& report, const core::Assessment& assessment)
{
    core::JsonWriter json;
    json.beginObject();
    json.member("anything_new", report.anythingNew);
    json.member("new_points", report.newPoints);
    json.member("new_runs", report.newRuns);
    json.member("grown_runs", report.grownRuns);
    json.member("replaced_runs", report.replacedRuns);
    json.member("new_bytes", report.newSegmentBytes);
    json.key("changes");
    json.beginArray();
    for (const core::AddedSource& source : report.sources) {
        json.beginObject();
        json.member("path", source.path);
        json.member("change", toString(source.change));
        json.endObject();
    }
    json.endArray();
    json.key("sources");
    core::writeSources(json, assessment.dataset->sources);
    json.endObject();
    return json.take();
}

/// Saves the mappings given now, and adds those that the case knows from before to `options`.
core::Result<void> rememberMappings(core::CaseStore& store, core::ImportOptions& options)
{
    for (const auto& [theirs, meaning] : options.nameMap) {
        if (const auto saved = store.append(core::NameMapping{theirs, meaning}); !saved)
            return saved;
    }
    const auto known = store.nameMappings();
    if (!known)
        return tl::unexpected(known.error());
    options.nameMap.clear();
    for (const core::NameMapping& mapping : *known)
        options.nameMap.emplace_back(mapping.theirs, mapping.meaning);
    return {};
}

class AddCommand : public CommandRun
{
public:
    void addOptions(CLI::App& app) override
    {
        app.add_option("PATH", m_paths, "Files and folders")->required();
        m_input.addTo(app);
    }

    core::Result<Answer> run(const Environment& environment, core::JobContext& job) override
    {
        auto options = m_input.importOptions();
        if (!options)
            return tl::unexpected(options.error());
        options->hashSources = true;
        auto store = openCase(environment, core::CaseAccess::Write);
        if (!store)
            return tl::unexpected(store.error());
        if (const auto remembered = rememberMappings(*store, *options); !remembered)
            return tl::unexpected(remembered.error());
        const std::vector<std::filesystem::path> named(m_paths.begin(), m_paths.end());
        const auto paths = store->pathsToReadWith(named);
        if (!paths)
            return tl::unexpected(paths.error());
        const auto dataset = core::loadPaths(*paths, *options, job);
        if (!dataset)
            return tl::unexpected(dataset.error());
        const auto assessment = core::assess(*dataset, core::Settings(), job);
        if (!assessment)
            return tl::unexpected(assessment.error());
        const auto report = store->add(**dataset, incidentsOf(*assessment), job);
        if (!report)
            return tl::unexpected(report.error());
        return answerWith(*report, *assessment, environment);
    }

private:
    [[nodiscard]] static Answer answerWith(const core::AddReport& report,
        const core::Assessment& assessment, const Environment& environment)
    {
        const core::Dataset& dataset = *assessment.dataset;
        Answer answer;
        answer.diagnostics = report.diagnostics;
        if (environment.json) {
            answer.resultJson = addedJson(report, assessment);
            answer.diagnostics.insert(
                answer.diagnostics.end(), dataset.diagnostics.begin(), dataset.diagnostics.end());
        } else {
            answer.text = addedText(report, dataset, environment);
        }
        answer.status = statusOf(core::holdsFault(assessment), core::holdsDamage(dataset));
        return answer;
    }

    std::vector<std::string> m_paths;
    InputOptions m_input;
};

}  // namespace

std::unique_ptr<CommandRun> makeAddCommand()
{
    return std::make_unique<AddCommand>();
}

}  // namespace firstbad::cli
