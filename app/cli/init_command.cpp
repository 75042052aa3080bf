// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/init_command.h"

#include "core/base/json_writer.h"
#include "core/base/text.h"
#include "core/store/case_store.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

namespace firstbad::cli {
namespace {

class InitCommand : public CommandRun
{
public:
    void addOptions(CLI::App& app) override
    {
        app.add_option("CASE", m_folder, "The folder to make")->required();
    }

    core::Result<Answer> run(const Environment& /*environment*/, core::JobContext& /*job*/) override
    {
        const auto store = core::CaseStore::create(m_folder);
        if (!store)
            return tl::unexpected(store.error());
        Answer answer;
        answer.text = fmt::format("made the case {}\n", core::escapedForTerminal(m_folder));
        core::JsonWriter json;
        json.beginObject();
        json.member("case", store->folder().string());
        json.endObject();
        answer.resultJson = json.take();
        return answer;
    }

private:
    std::string m_folder;
};

}  // namespace

std::unique_ptr<CommandRun> makeInitCommand()
{
    return std::make_unique<InitCommand>();
}

}  // namespace firstbad::cli
