// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/doctor_command.h"

#include "app/cli/importer_check.h"
#include "app/cli/machine.h"
#include "app/cli/self_test.h"
#include "core/base/json_writer.h"
#include "core/base/libraries.h"
#include "core/base/text.h"
#include "core/import/importer.h"
#include "core/present/text/line_builder.h"

#include <algorithm>
#include <CLI/CLI.hpp>
#include <fmt/format.h>

namespace firstbad::cli {
namespace {

constexpr int kIndent = 10;

struct Report {
    Machine machine;
    std::vector<core::LibraryVersion> libraries;
    std::vector<Check> checks;
};

std::string libraryLine(const Report& report)
{
    std::string line;
    for (const core::LibraryVersion& library : report.libraries)
        line += fmt::format("{}{} {}", line.empty() ? "" : ", ", library.name, library.version);
    return line;
}

std::string formatLine()
{
    std::string line;
    for (const core::Importer& importer : core::importerTable())
        line += fmt::format("{}{}", line.empty() ? "" : ", ", importer.id);
    return line;
}

std::string torchLine(const Machine& machine)
{
    if (!machine.torchFolder)
        return "none found. Logs need none; to replay a step, set FIRSTBAD_TORCH to a "
               "site-packages folder that holds torch 2.7 or later.";
    return fmt::format("{} in {}",
        machine.torchVersion.empty() ? "version unknown" : machine.torchVersion,
        *machine.torchFolder);
}

std::string reportText(const Report& report, const core::TextStyle& style)
{
    core::StyledText out;
    const auto add = [&](std::string_view label, std::string_view text) {
        core::addLabelled(out, style, label, kIndent, text);
    };
    add("program", fmt::format("firstbad {} on {} cores", FIRSTBAD_VERSION, report.machine.cores));
    add("with", libraryLine(report));
    add("formats", formatLine());
    add("LibTorch", torchLine(report.machine));
    add("display",
        report.machine.display.empty() ? "none here; the terminal program needs none"
                                       : report.machine.display);
    add("disk",
        report.machine.freeBytes ? core::humanBytes(*report.machine.freeBytes) + " free here"
                                 : "free space is unknown here");
    for (const Check& check : report.checks) {
        core::LineBuilder line(style);
        line.add("test", core::Role::Muted).padTo(kIndent);
        line.add(check.passed ? "ok   " : "FAIL ",
            check.passed ? core::Role::Committed : core::Role::Fault);
        line.add(check.name);
        out.push_back(line.take());
        if (!check.passed)
            core::addLabelled(out, style, "", kIndent + 5, "found: " + check.found);
    }
    return render(out, style);
}

std::string reportJson(const Report& report)
{
    core::JsonWriter json;
    json.beginObject();
    json.member("version", FIRSTBAD_VERSION);
    json.key("libraries");
    json.beginArray();
    for (const core::LibraryVersion& library : report.libraries) {
        json.beginObject();
        json.member("name", library.name);
        json.member("version", library.version);
        json.endObject();
    }
    json.endArray();
    json.key("formats");
    json.beginArray();
    for (const core::Importer& importer : core::importerTable()) {
        json.beginObject();
        json.member("id", importer.id);
        json.member("title", importer.title);
        json.endObject();
    }
    json.endArray();
    json.key("libtorch");
    if (report.machine.torchFolder) {
        json.beginObject();
        json.member("path", *report.machine.torchFolder);
        json.member("version", report.machine.torchVersion);
        json.endObject();
    } else {
        json.null();
    }
    json.member("display", report.machine.display);
    json.member("disk_free_bytes", report.machine.freeBytes);
    json.key("checks");
    json.beginArray();
    for (const Check& check : report.checks) {
        json.beginObject();
        json.member("name", check.name);
        json.member("passed", check.passed);
        json.member("found", check.found);
        json.endObject();
    }
    json.endArray();
    json.endObject();
    return json.take();
}

class DoctorCommand : public CommandRun
{
public:
    void addOptions(CLI::App& app) override
    {
        app.add_flag(
            "--self-test", m_selfTest, "Check this build's handling of NaN and infinities");
    }

    core::Result<Answer> run(const Environment& environment, core::JobContext& job) override
    {
        Report report{lookAtMachine(), core::libraryVersions(), {}};
        if (m_selfTest)
            report.checks = selfTest(job);
        Answer answer;
        answer.text = reportText(report, environment.style);
        answer.resultJson = reportJson(report);
        const bool failed = std::any_of(report.checks.begin(), report.checks.end(),
            [](const Check& check) { return !check.passed; });
        answer.status = failed ? ExitStatus::Found : ExitStatus::Nothing;
        return answer;
    }

private:
    [[nodiscard]] static std::vector<Check> selfTest(core::JobContext& job)
    {
        std::vector<Check> checks = runSelfTest();
        for (Check& check : checkImporters(job))
            checks.push_back(std::move(check));
        return checks;
    }

    bool m_selfTest = false;
};

}  // namespace

std::unique_ptr<CommandRun> makeDoctorCommand()
{
    return std::make_unique<DoctorCommand>();
}

}  // namespace firstbad::cli
