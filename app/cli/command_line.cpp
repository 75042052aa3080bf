// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/command_line.h"

#include <algorithm>
#include <CLI/CLI.hpp>

namespace firstbad::cli {

std::optional<std::size_t> findCommandWord(const std::vector<std::string>& arguments)
{
    for (std::size_t i = 0; i < arguments.size(); ++i) {
        const std::string& argument = arguments[i];
        if (argument == "-C" || argument == "--case")
            ++i;
        else if (argument == "--")
            return std::nullopt;
        else if (argument.empty() || argument[0] != '-')
            return i;
    }
    return std::nullopt;
}

std::unique_ptr<CLI::App> makeParser(GlobalOptions& options, CommandRun* command)
{
    auto parser = std::make_unique<CLI::App>();
    parser->set_help_flag();
    if (command != nullptr) {
        command->addOptions(*parser);
        for (CLI::Option* option : parser->get_options())
            option->group(option->get_positional() ? "Arguments" : "Options");
    }
    const auto group = [](CLI::Option* option) { return option->group("Global options"); };
    group(parser
              ->add_option("-C,--case", options.casePath,
                  "The case to use (default: FIRSTBAD_CASE, or found upwards from here)")
              ->envname("FIRSTBAD_CASE")
              ->type_name("CASE"));
    group(parser->add_flag("--json", options.json, "Print one JSON document"));
    auto* quiet = group(parser->add_flag("-q,--quiet", options.quiet, "Only errors on stderr"));
    group(parser->add_flag("-v,--verbose", options.verbose, "More detail"))->excludes(quiet);
    group(parser->add_flag("--no-color", options.noColour, "No colours (as NO_COLOR=1)"));
    group(parser->add_flag("-h,--help", options.help, "Show help"));
    group(parser->add_flag("--version", options.version, "Show the version"));
    return parser;
}

std::optional<UsageError> parseArguments(
    CLI::App& parser, std::vector<std::string> arguments, std::optional<std::size_t> commandWord)
{
    if (commandWord)
        arguments.erase(arguments.begin() + static_cast<std::ptrdiff_t>(*commandWord));
    const bool wantsHelp = std::any_of(arguments.begin(), arguments.end(),
        [](const std::string& argument) { return argument == "-h" || argument == "--help"; });
    std::reverse(arguments.begin(), arguments.end());  // CLI11 takes the last argument first
    try {
        parser.parse(std::move(arguments));
    } catch (const CLI::ParseError& error) {
        if (!wantsHelp)
            return UsageError{error.what()};
    }
    return std::nullopt;
}

}  // namespace firstbad::cli
