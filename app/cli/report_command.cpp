// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/report_command.h"

#include "app/cli/case_access.h"
#include "app/cli/input.h"
#include "core/base/file.h"
#include "core/base/json_writer.h"
#include "core/base/text.h"
#include "core/report/report.h"

#include <CLI/CLI.hpp>
#include <filesystem>
#include <fmt/format.h>

namespace firstbad::cli {
namespace {

constexpr std::string_view kDefaultFormat = "md";

class ReportCommand : public CommandRun
{
public:
    void addOptions(CLI::App& app) override
    {
        app.add_option("PATH", m_paths, "Files and folders; without any, the case");
        app.add_option("-o,--output", m_output, "The file to write; without it, standard output")
            ->type_name("FILE");
        app.add_option("--incident", m_request.incidentId, "Which incident; without it, the worst")
            ->type_name("ID");
        app.add_option(
               "--format", m_format, "html, md or json; without it, by the name of the file")
            ->type_name("FORMAT");
        app.add_option("--lang", m_language, "en or zh")->type_name("LANGUAGE");
        app.add_flag("--redact", m_request.redact, "Leave out folders and quotations");
        m_input.addMappingTo(app);
    }

    core::Result<Answer> run(const Environment& environment, core::JobContext& job) override
    {
        const auto language = core::reportLanguageFrom(m_language);
        if (!language)
            return core::fail(core::ErrorCode::InvalidArgument,
                fmt::format("There are no reports in '{}'.", m_language), "Use --lang en or zh.");
        const auto assessment = m_input.loadAndAssess(m_paths, environment, job);
        if (!assessment)
            return tl::unexpected(assessment.error());
        if (const auto known = addFromCase(environment); !known)
            return tl::unexpected(known.error());
        const auto report = core::makeReport(*assessment, m_request, job);
        if (!report)
            return tl::unexpected(report.error());
        return deliver(*report, *language, environment);
    }

private:
    /// Statuses and notes, when the facts come from a case.
    [[nodiscard]] core::Result<void> addFromCase(const Environment& environment)
    {
        if (!m_paths.empty())
            return {};
        const auto store = openCase(environment, core::CaseAccess::Read);
        if (!store)
            return tl::unexpected(store.error());
        auto statuses = store->statusChanges();
        auto notes = store->annotations();
        if (!statuses || !notes)
            return tl::unexpected(statuses ? notes.error() : statuses.error());
        m_request.caseName = store->folder().filename().string();
        m_request.statuses = std::move(*statuses);
        m_request.annotations = std::move(*notes);
        return {};
    }

    [[nodiscard]] core::Result<std::string> render(
        const core::Report& report, core::ReportLanguage language) const
    {
        std::string format = m_format;
        if (format.empty() && !m_output.empty())
            format = core::toLowerAscii(std::filesystem::path(m_output).extension().string());
        if (format.empty())
            format = kDefaultFormat;
        if (format == "html" || format == ".html" || format == ".htm")
            return core::reportHtml(report, language);
        if (format == "md" || format == ".md" || format == ".markdown")
            return core::reportMarkdown(report, language);
        if (format == "json" || format == ".json")
            return core::reportJson(report);
        return core::fail(core::ErrorCode::InvalidArgument,
            fmt::format("There are no reports of the format '{}'.", format),
            "Use a file name that ends in .html, .md or .json, or --format.");
    }

    [[nodiscard]] core::Result<Answer> deliver(const core::Report& report,
        core::ReportLanguage language, const Environment& environment) const
    {
        const auto text = render(report, language);
        if (!text)
            return tl::unexpected(text.error());
        Answer answer;
        if (!m_output.empty()) {
            if (const auto written = core::writeWholeFile(m_output, *text); !written)
                return tl::unexpected(written.error());
            answer.text = fmt::format("{}\n", m_output);
        } else {
            answer.text = *text;
        }
        if (environment.json)
            answer.resultJson = core::reportJson(report);
        const bool fault = report.incident.verdict == core::IncidentClass::Fault;
        answer.status = fault ? ExitStatus::Found : ExitStatus::Nothing;
        return answer;
    }

    std::vector<std::string> m_paths;
    std::string m_output;
    std::string m_format;
    std::string m_language = "en";
    core::ReportInput m_request;
    InputOptions m_input;
};

}  // namespace

std::unique_ptr<CommandRun> makeReportCommand()
{
    return std::make_unique<ReportCommand>();
}

}  // namespace firstbad::cli
