// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/completion.h"

#include "app/cli/help_text.h"

#include <fmt/format.h>

namespace firstbad::cli {
namespace {

std::vector<std::string> split(std::string_view names)
{
    std::vector<std::string> parts;
    while (!names.empty()) {
        const std::size_t end = std::min(names.find(','), names.size());
        parts.emplace_back(names.substr(0, end));
        names.remove_prefix(std::min(end + 1, names.size()));
    }
    return parts;
}

/// All option words of a command (nullptr: the global ones), separated by blanks.
std::string optionWords(const Command* command)
{
    std::string words;
    for (const OptionInfo& option : optionsOf(command)) {
        if (option.positional)
            continue;
        for (const std::string& name : split(option.names))
            words += (words.empty() ? "" : " ") + name;
    }
    return words;
}

std::string commandWords()
{
    std::string words;
    for (const Command& command : commandTable())
        words += fmt::format("{}{}", words.empty() ? "" : " ", command.name);
    return words;
}

/// For single quotes of a POSIX shell.
std::string quoted(std::string_view text)
{
    std::string out = "'";
    for (const char c : text)
        out += c == '\'' ? std::string("'\\''") : std::string(1, c);
    return out + "'";
}

std::string bashScript()
{
    std::string script = "# bash completion for firstbad\n_firstbad()\n{\n"
                         "    local current=${COMP_WORDS[COMP_CWORD]} command= word skip=\n"
                         "    for word in \"${COMP_WORDS[@]:1:COMP_CWORD-1}\"; do\n"
                         "        if [ -n \"$skip\" ]; then skip=; continue; fi\n"
                         "        case $word in\n            -C|--case) skip=1 ;;\n"
                         "            -*) ;;\n            *) command=$word; break ;;\n"
                         "        esac\n    done\n    local options\n    case $command in\n";
    for (const Command& command : commandTable())
        script += fmt::format(
            "        {}) options={} ;;\n", command.name, quoted(optionWords(&command)));
    script += fmt::format("        *) options={} ;;\n    esac\n", quoted(optionWords(nullptr)));
    script += "    if [[ $current == -* ]]; then\n"
              "        COMPREPLY=($(compgen -W \"$options\" -- \"$current\"))\n"
              "    elif [ -z \"$command\" ]; then\n";
    script += fmt::format(
        "        COMPREPLY=($(compgen -W {} -- \"$current\"))\n", quoted(commandWords()));
    script += "    elif [ \"$command\" = help ]; then\n";
    script += fmt::format(
        "        COMPREPLY=($(compgen -W {} -- \"$current\"))\n", quoted(commandWords()));
    script += "    else\n        compopt -o filenames 2>/dev/null\n"
              "        COMPREPLY=($(compgen -f -- \"$current\"))\n    fi\n}\n"
              "complete -F _firstbad firstbad\n";
    return script;
}

std::string zshText(std::string_view text)
{
    std::string out;
    for (const char c : text) {
        if (c == '[' || c == ']' || c == ':')
            out += '\\';
        out += c;
    }
    return out;
}

std::string zshOptions(const Command* command)
{
    std::string lines;
    for (const OptionInfo& option : optionsOf(command)) {
        if (option.positional)
            continue;
        const std::string value
            = option.value.empty() ? "" : fmt::format(":{}:_files", option.value);
        for (const std::string& name : split(option.names))
            lines += fmt::format(" \\\n            {}",
                quoted(fmt::format("{}[{}]{}", name, zshText(option.text), value)));
    }
    return lines;
}

std::string zshScript()
{
    std::string script
        = "#compdef firstbad\n_firstbad() {\n    local -a commands\n    commands=(\n";
    for (const Command& command : commandTable())
        script += fmt::format(
            "        {}\n", quoted(fmt::format("{}:{}", command.name, zshText(command.summary))));
    script += "    )\n    local curcontext=$curcontext state line\n"
              "    _arguments -C '1:command:->command' '*::argument:->argument'";
    script += zshOptions(nullptr);
    script += "\n    case $state in\n        command) _describe command commands ;;\n"
              "        argument)\n        case $line[1] in\n";
    for (const Command& command : commandTable())
        script += fmt::format("            {}) _arguments '*:path:_files'{} ;;\n", command.name,
            zshOptions(&command));
    script += "        esac ;;\n    esac\n}\n"
              "if [ \"$funcstack[1]\" = _firstbad ]; then _firstbad \"$@\"; else compdef _firstbad "
              "firstbad; fi\n";
    return script;
}

std::string fishOption(const OptionInfo& option, std::string_view condition)
{
    std::string line = "complete -c firstbad";
    if (!condition.empty())
        line += fmt::format(" -n {}", quoted(condition));
    for (const std::string& name : split(option.names)) {
        const bool isLong = name.size() > 2;
        line += isLong ? " -l " + name.substr(2) : " -s " + name.substr(1);
    }
    if (!option.value.empty())
        line += " -r";
    return line + " -d " + quoted(option.text) + "\n";
}

std::string fishScript()
{
    std::string script = "# fish completion for firstbad\n";
    for (const OptionInfo& option : optionsOf(nullptr)) {
        if (!option.positional)
            script += fishOption(option, "");
    }
    for (const Command& command : commandTable()) {
        script += fmt::format("complete -c firstbad -n __fish_use_subcommand -a {} -d {}\n",
            command.name, quoted(command.summary));
        for (const OptionInfo& option : optionsOf(&command)) {
            if (!option.positional && !option.global)
                script += fishOption(
                    option, fmt::format("__fish_seen_subcommand_from {}", command.name));
        }
    }
    return script;
}

}  // namespace

std::string completionScript(std::string_view shell)
{
    if (shell == "zsh")
        return zshScript();
    return shell == "fish" ? fishScript() : bashScript();
}

}  // namespace firstbad::cli
