// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/export_command.h"

#include "app/cli/case_access.h"
#include "core/base/json_writer.h"
#include "core/base/text.h"
#include "core/present/text/phrases.h"
#include "core/store/case_archive.h"
#include "core/store/case_redact.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <system_error>

namespace firstbad::cli {
namespace {

namespace fs = std::filesystem;

Answer answerWith(const core::CaseArchiveSummary& summary, const std::string& made)
{
    core::JsonWriter json;
    json.beginObject();
    json.member("path", made);
    json.member("files", summary.files);
    json.member("bytes", summary.bytes);
    json.endObject();
    Answer answer;
    answer.resultJson = json.take();
    answer.text = fmt::format("{}: {}, {}\n", core::escapedForTerminal(made),
        core::counted(summary.files, "file"), core::humanBytes(summary.bytes));
    return answer;
}

/// A redacted copy beside the exported file, removed when it goes.
class TemporaryCase
{
public:
    explicit TemporaryCase(fs::path folder)
        : m_folder(std::move(folder))
    {
        remove();
    }
    TemporaryCase(const TemporaryCase&) = delete;
    TemporaryCase& operator=(const TemporaryCase&) = delete;
    ~TemporaryCase() { remove(); }
    [[nodiscard]] const fs::path& folder() const noexcept { return m_folder; }

private:
    void remove() const
    {
        std::error_code ignored;
        fs::remove_all(m_folder, ignored);
    }
    fs::path m_folder;
};

class ExportCommand : public CommandRun
{
public:
    void addOptions(CLI::App& app) override
    {
        app.add_option("CASE", m_case, "The case; without it, the one that lies around");
        app.add_option("-o,--output", m_output, "The file to write")->required()->type_name("FILE");
        app.add_flag("--redact", m_redact, "Leave out folders, quotations and names");
    }

    core::Result<Answer> run(const Environment& environment, core::JobContext& job) override
    {
        fs::path folder = m_case;
        if (m_case.empty()) {
            const auto found = findCaseFolder(environment);
            if (!found)
                return tl::unexpected(found.error());
            folder = *found;
        }
        if (const auto store = core::CaseStore::open(folder, core::CaseAccess::Read); !store)
            return tl::unexpected(store.error());
        const TemporaryCase copy(m_output + ".redacting");
        if (m_redact) {
            if (const auto made = core::redactCase(folder, copy.folder(), job); !made)
                return tl::unexpected(made.error());
        }
        const auto packed = core::exportCase(m_redact ? copy.folder() : folder, m_output, job);
        if (!packed)
            return tl::unexpected(packed.error());
        return answerWith(*packed, m_output);
    }

private:
    std::string m_case;
    std::string m_output;
    bool m_redact = false;
};

class ImportCommand : public CommandRun
{
public:
    void addOptions(CLI::App& app) override
    {
        app.add_option("FILE", m_file, "A file that export wrote")->required();
        app.add_option("CASE", m_case, "The folder to make")->required();
    }

    core::Result<Answer> run(const Environment&, core::JobContext& job) override
    {
        const auto unpacked = core::importCase(m_file, m_case, job);
        if (!unpacked)
            return tl::unexpected(unpacked.error());
        return answerWith(*unpacked, m_case);
    }

private:
    std::string m_file;
    std::string m_case;
};

}  // namespace

std::unique_ptr<CommandRun> makeExportCommand()
{
    return std::make_unique<ExportCommand>();
}

std::unique_ptr<CommandRun> makeImportCommand()
{
    return std::make_unique<ImportCommand>();
}

}  // namespace firstbad::cli
