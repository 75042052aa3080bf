// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/doctor_command.h"

#include "app/cli/case_access.h"
#include "app/cli/importer_check.h"
#include "app/cli/input.h"
#include "app/cli/machine.h"
#include "app/cli/self_test.h"
#include "core/base/json_writer.h"
#include "core/base/libraries.h"
#include "core/base/text.h"
#include "core/import/importer.h"
#include "core/present/text/line_builder.h"
#include "core/present/text/phrases.h"

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
    std::string casePath;  ///< empty: no case here
    core::CaseCheck caseCheck;
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

void addCase(core::StyledText& out, const core::TextStyle& style, const Report& report)
{
    if (report.casePath.empty()) {
        core::addLabelled(out, style, "case", kIndent, "none here (name one with -C)");
        return;
    }
    const core::CaseCheck& check = report.caseCheck;
    core::addLabelled(out, style, "case", kIndent,
        fmt::format("{}: {}, {} in {}", report.casePath,
            check.sound() ? "sound" : core::counted(check.problems.size(), "problem"),
            core::counted(check.rows, "row"), core::counted(check.segmentFiles, "segment file")));
    for (const core::Diagnostic& problem : check.problems)
        core::addLabelled(out, style, "", kIndent, problem.message, core::Role::Fault);
    for (const std::string& file : check.unnamedFiles)
        core::addLabelled(out, style, "", kIndent,
            fmt::format("{} is not named by case.db; it is ignored and may be deleted.", file));
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
    addCase(out, style, report);
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

void writeCase(core::JsonWriter& json, const Report& report)
{
    const core::CaseCheck& check = report.caseCheck;
    json.beginObject();
    json.member("path", report.casePath);
    json.member("sound", check.sound());
    json.member("schema_version", check.schemaVersion);
    json.member("journal", check.journal);
    json.member("rows", check.rows);
    json.member("segment_files", check.segmentFiles);
    json.key("broken_chains");
    json.beginArray();
    for (const core::BrokenChain& chain : check.broken) {
        json.beginObject();
        json.member("table", chain.table);
        json.member("row", chain.row);
        json.member("reason", chain.reason);
        json.endObject();
    }
    json.endArray();
    json.key("unnamed_files");
    json.beginArray();
    for (const std::string& file : check.unnamedFiles)
        json.value(file);
    json.endArray();
    json.endObject();
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
    json.key("case");
    if (report.casePath.empty())
        json.null();
    else
        writeCase(json, report);
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
        Report report{lookAtMachine(), core::libraryVersions(), {}, {}, {}};
        if (m_selfTest)
            report.checks = selfTest(job);
        if (const auto looked = checkCase(environment, report, job); !looked)
            return tl::unexpected(looked.error());
        Answer answer;
        answer.diagnostics = report.caseCheck.problems;
        answer.text = reportText(report, environment.style);
        answer.resultJson = reportJson(report);
        const bool failed = std::any_of(report.checks.begin(), report.checks.end(),
            [](const Check& check) { return !check.passed; });
        answer.status = statusOf(failed, !report.caseCheck.sound());
        return answer;
    }

private:
    /// Checks the case that was named or lies around; a machine without one is fine.
    [[nodiscard]] static core::Result<void> checkCase(
        const Environment& environment, Report& report, core::JobContext& job)
    {
        const auto folder = findCaseFolder(environment);
        if (!folder)
            return {};
        const auto store = core::CaseStore::open(*folder, core::CaseAccess::Read);
        if (!store)
            return tl::unexpected(store.error());
        auto check = store->check(job);
        if (!check)
            return tl::unexpected(check.error());
        report.casePath = folder->string();
        report.caseCheck = std::move(*check);
        return {};
    }

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
