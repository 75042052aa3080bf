// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/help_command.h"

#include "app/cli/help_text.h"
#include "app/cli/man_page.h"
#include "app/cli/nearest.h"
#include "core/base/json_writer.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

namespace firstbad::cli {
namespace {

std::string commandsJson(const Command* only)
{
    core::JsonWriter json;
    json.beginObject();
    json.key("commands");
    json.beginArray();
    for (const Command& command : commandTable()) {
        if (only != nullptr && command.name != only->name)
            continue;
        json.beginObject();
        json.member("name", command.name);
        json.member("arguments", command.arguments);
        json.member("summary", command.summary);
        json.member("help", command.help);
        json.endObject();
    }
    json.endArray();
    json.endObject();
    return json.take();
}

class HelpCommand : public CommandRun
{
public:
    void addOptions(CLI::App& app) override
    {
        app.add_option("COMMAND", m_command, "The command to explain");
        app.add_flag("--man", m_man, "Print the man page in roff");
    }

    core::Result<Answer> run(const Environment& environment, core::JobContext& /*job*/) override
    {
        const Command* command = m_command.empty() ? nullptr : findCommand(m_command);
        if (command == nullptr && !m_command.empty())
            return unknown();
        Answer answer;
        if (environment.json)
            answer.resultJson = commandsJson(command);
        else if (m_man)
            answer.text = manPage();
        else
            answer.text = command == nullptr ? overviewText(environment.style)
                                             : commandHelpText(*command, environment.style);
        return answer;
    }

private:
    [[nodiscard]] core::Result<Answer> unknown() const
    {
        std::vector<std::string> names;
        for (const Command& command : commandTable())
            names.emplace_back(command.name);
        const auto meant = nearest(m_command, names);
        return core::fail(core::ErrorCode::NotFound,
            fmt::format("There is no command '{}'.", m_command),
            meant ? fmt::format("Did you mean: firstbad help {}", *meant)
                  : "firstbad help lists the commands.");
    }

    std::string m_command;
    bool m_man = false;
};

}  // namespace

std::unique_ptr<CommandRun> makeHelpCommand()
{
    return std::make_unique<HelpCommand>();
}

}  // namespace firstbad::cli
