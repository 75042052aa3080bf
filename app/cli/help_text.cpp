// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/help_text.h"

#include "app/cli/command_line.h"
#include "core/present/text/line_builder.h"
#include "core/present/text/text_width.h"

#include <algorithm>
#include <array>
#include <CLI/CLI.hpp>
#include <fmt/format.h>

namespace firstbad::cli {
namespace {

using core::LineBuilder;
using core::Role;
using core::StyledText;
using core::TextStyle;

constexpr int kIndent = 2;
constexpr int kTextColumn = 26;

constexpr std::array<StatusInfo, 7> kStatuses{{
    {ExitStatus::Nothing, "done, nothing bad found"},
    {ExitStatus::Error, "could not be done; one sentence on stderr says why"},
    {ExitStatus::Usage, "wrong usage"},
    {ExitStatus::Found, "done, something bad found"},
    {ExitStatus::Damaged, "done, nothing bad found, but part of the input could not be read"},
    {ExitStatus::Refused, "refused by policy"},
    {ExitStatus::Cancelled, "cancelled"},
}};

void addHeading(StyledText& out, const TextStyle& style, std::string_view text)
{
    out.emplace_back();
    out.push_back(LineBuilder(style).add(text, Role::Strong).take());
}

void addParagraphs(StyledText& out, const TextStyle& style, std::string_view text)
{
    while (!text.empty()) {
        const std::size_t end = std::min(text.find('\n'), text.size());
        const std::string paragraph = core::showable(text.substr(0, end), style);
        for (const std::string& line : core::wrapped(paragraph, style.columns))
            out.push_back({{line, Role::Plain}});
        text.remove_prefix(std::min(end + 1, text.size()));
    }
}

/// `left`, then `right` wrapped in its own column; on the next line where `left` is too long.
void addEntry(StyledText& out, const TextStyle& style, std::string_view left,
    std::string_view right, Role role = Role::Plain)
{
    LineBuilder line(style);
    line.padTo(kIndent).add(left, role);
    if (line.width() >= kTextColumn)
        out.push_back(line.take());
    const std::string shown = core::showable(right, style);
    for (const std::string& part : core::wrapped(shown, style.columns - kTextColumn))
        out.push_back(line.padTo(kTextColumn).add(part).take());
}

std::string leftOf(const OptionInfo& option)
{
    std::string left = option.names;
    for (std::size_t at = left.find(','); at != std::string::npos; at = left.find(',', at + 2))
        left.replace(at, 1, ", ");
    return option.value.empty() || option.positional ? left : left + " " + option.value;
}

void addOptions(
    StyledText& out, const TextStyle& style, const std::vector<OptionInfo>& options, bool global)
{
    for (const OptionInfo& option : options) {
        if (option.global == global && !option.positional)
            addEntry(out, style, leftOf(option), option.text);
    }
}

void addExamples(StyledText& out, const TextStyle& style, std::string_view examples)
{
    while (!examples.empty()) {
        const std::size_t end = std::min(examples.find('\n'), examples.size());
        const std::string_view example = examples.substr(0, end);
        const std::size_t comment = std::min(example.find("  # "), example.size());
        LineBuilder line(style);
        line.add("  ").add(example.substr(0, comment), Role::Command);
        if (comment < example.size())
            line.padTo(45).add(example.substr(comment + 4), Role::Muted);
        out.push_back(line.take());
        examples.remove_prefix(std::min(end + 1, examples.size()));
    }
}

}  // namespace

std::string versionLine()
{
    return "firstbad " FIRSTBAD_VERSION "\n";
}

std::span<const StatusInfo> statusTable() noexcept
{
    return kStatuses;
}

std::vector<OptionInfo> optionsOf(const Command* command)
{
    GlobalOptions globals;
    const std::unique_ptr<CommandRun> run = command == nullptr ? nullptr : command->make();
    const auto parser = makeParser(globals, run.get());
    std::vector<OptionInfo> infos;
    for (const CLI::Option* option : parser->get_options()) {
        OptionInfo info;
        info.positional = option->get_positional();
        info.names = option->get_name(info.positional, !info.positional);
        info.global = option->get_group() == "Global options";
        info.value = option->get_items_expected_max() == 0 ? "" : option->get_type_name();
        info.text = option->get_description();
        infos.push_back(std::move(info));
    }
    return infos;
}

std::string overviewText(const TextStyle& style)
{
    StyledText out;
    addParagraphs(out, style,
        "firstbad finds the first bad step of a training that went wrong, from the logs that it "
        "already has.\n\nusage: firstbad [-C CASE] [--json] [-q|-v] [--no-color] COMMAND [ARGS]");
    addHeading(out, style, "Commands");
    for (const Command& command : commandTable())
        addEntry(out, style, command.name, command.summary, Role::Strong);
    addHeading(out, style, "Global options, before or after the command");
    addOptions(out, style, optionsOf(nullptr), true);
    addHeading(out, style, "Exit status");
    for (const StatusInfo& info : statusTable())
        addEntry(out, style, fmt::format("{}", static_cast<int>(info.status)), info.text);
    addHeading(out, style, "First steps");
    addExamples(out, style,
        "firstbad look RUN_FOLDER  # what happened, and what to do next\n"
        "firstbad help look  # more about one command");
    return render(out, style);
}

std::string commandHelpText(const Command& command, const TextStyle& style)
{
    StyledText out;
    LineBuilder title(style);
    title.add(fmt::format("firstbad {}", command.name), Role::Strong)
        .add(" — ")
        .add(command.summary);
    out.push_back(title.take());
    out.emplace_back();
    addParagraphs(out, style,
        fmt::format("usage: firstbad {} [options] {}\n\n{}", command.name, command.arguments,
            command.help));
    const std::vector<OptionInfo> options = optionsOf(&command);
    const bool hasOwn = std::any_of(options.begin(), options.end(),
        [](const OptionInfo& option) { return !option.global && !option.positional; });
    if (hasOwn) {
        addHeading(out, style, "Options");
        addOptions(out, style, options, false);
    }
    addHeading(out, style, "Global options");
    addOptions(out, style, options, true);
    addHeading(out, style, "Examples");
    addExamples(out, style, command.examples);
    return render(out, style);
}

}  // namespace firstbad::cli
