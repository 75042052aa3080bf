// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/completion_command.h"

#include "app/cli/completion.h"
#include "core/base/json_writer.h"

#include <CLI/CLI.hpp>

namespace firstbad::cli {
namespace {

class CompletionCommand : public CommandRun
{
public:
    void addOptions(CLI::App& app) override
    {
        app.add_option("SHELL", m_shell, "bash, zsh or fish")
            ->required()
            ->check(CLI::IsMember({"bash", "zsh", "fish"}));
    }

    core::Result<Answer> run(const Environment& environment, core::JobContext& /*job*/) override
    {
        Answer answer;
        answer.text = completionScript(m_shell);
        if (environment.json) {
            core::JsonWriter json;
            json.beginObject();
            json.member("shell", m_shell);
            json.member("script", answer.text);
            json.endObject();
            answer.resultJson = json.take();
        }
        return answer;
    }

private:
    std::string m_shell;
};

}  // namespace

std::unique_ptr<CommandRun> makeCompletionCommand()
{
    return std::make_unique<CompletionCommand>();
}

}  // namespace firstbad::cli
