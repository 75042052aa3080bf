// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/sources_command.h"

#include "app/cli/case_access.h"
#include "app/cli/input.h"
#include "core/base/json_writer.h"
#include "core/import/load.h"
#include "core/present/json/source_json.h"
#include "core/present/look.h"
#include "core/present/text/source_text.h"

#include <algorithm>
#include <CLI/CLI.hpp>

namespace firstbad::cli {
namespace {

std::string sourcesJson(const std::vector<core::StoredSource>& sources)
{
    core::JsonWriter json;
    json.beginObject();
    json.key("sources");
    json.beginArray();
    for (const core::StoredSource& source : sources) {
        json.beginObject();
        core::writeSourceMembers(json, source.info);
        json.member("location", source.location);
        json.member("version", source.version);
        json.member("change", toString(source.change));
        json.endObject();
    }
    json.endArray();
    json.endObject();
    return json.take();
}

std::string sourcesJson(const std::vector<core::SourceInfo>& sources)
{
    core::JsonWriter json;
    json.beginObject();
    json.key("sources");
    core::writeSources(json, sources);
    json.endObject();
    return json.take();
}

Answer answerWith(
    const std::vector<core::SourceInfo>& sources, std::string json, const Environment& environment)
{
    Answer answer;
    if (environment.json)
        answer.resultJson = std::move(json);
    else
        answer.text = render(
            core::sourcesText(sources, environment.style, environment.verbose), environment.style);
    answer.status = statusOf(false, std::any_of(sources.begin(), sources.end(), core::isDamaged));
    return answer;
}

class SourcesCommand : public CommandRun
{
public:
    void addOptions(CLI::App& app) override
    {
        app.add_option("PATH", m_paths, "Files and folders");
        m_input.addTo(app);
    }

    core::Result<Answer> run(const Environment& environment, core::JobContext& job) override
    {
        return m_paths.empty() ? fromCase(environment) : fromPaths(environment, job);
    }

private:
    [[nodiscard]] core::Result<Answer> fromPaths(
        const Environment& environment, core::JobContext& job) const
    {
        auto options = m_input.importOptions();
        if (!options)
            return tl::unexpected(options.error());
        options->hashSources = true;
        const std::vector<std::filesystem::path> files(m_paths.begin(), m_paths.end());
        const auto dataset = core::loadPaths(files, *options, job);
        if (!dataset)
            return tl::unexpected(dataset.error());
        const auto& sources = (*dataset)->sources;
        Answer answer = answerWith(sources, sourcesJson(sources), environment);
        answer.diagnostics = (*dataset)->diagnostics;
        return answer;
    }

    [[nodiscard]] static core::Result<Answer> fromCase(const Environment& environment)
    {
        const auto store = openCase(environment, core::CaseAccess::Read);
        if (!store)
            return tl::unexpected(store.error());
        const auto stored = store->sources();
        if (!stored)
            return tl::unexpected(stored.error());
        std::vector<core::SourceInfo> sources;
        for (const core::StoredSource& source : *stored)
            sources.push_back(source.info);
        return answerWith(sources, sourcesJson(*stored), environment);
    }

    std::vector<std::string> m_paths;
    InputOptions m_input;
};

}  // namespace

std::unique_ptr<CommandRun> makeSourcesCommand()
{
    return std::make_unique<SourcesCommand>();
}

}  // namespace firstbad::cli
