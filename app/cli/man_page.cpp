// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/man_page.h"

#include "app/cli/help_text.h"

#include <fmt/format.h>

namespace firstbad::cli {
namespace {

/// Text that roff takes as it stands: no control lines, plain hyphens.
std::string roff(std::string_view text)
{
    std::string out;
    bool lineStart = true;
    for (const char c : text) {
        if (lineStart && (c == '.' || c == '\''))
            out += "\\&";
        if (c == '\\')
            out += "\\e";
        else if (c == '-')
            out += "\\-";
        else
            out += c;
        lineStart = c == '\n';
    }
    return out;
}

void addOptionItems(std::string& out, const std::vector<OptionInfo>& options, bool global)
{
    for (const OptionInfo& option : options) {
        if (option.global != global || option.positional)
            continue;
        out += fmt::format(".TP\n\\fB{}\\fR", roff(option.names));
        if (!option.value.empty())
            out += fmt::format(" \\fI{}\\fR", roff(option.value));
        out += fmt::format("\n{}\n", roff(option.text));
    }
}

void addCommand(std::string& out, const Command& command)
{
    out += fmt::format(".SS \"firstbad {} {}\"\n{}.\n.PP\n{}\n", roff(command.name),
        roff(command.arguments), roff(command.summary), roff(command.help));
    addOptionItems(out, optionsOf(&command), false);
    out += fmt::format(".PP\nExamples:\n.PP\n.nf\n.RS\n{}\n.RE\n.fi\n", roff(command.examples));
}

}  // namespace

std::string manPage()
{
    std::string out
        = fmt::format(".TH FIRSTBAD 1 \"\" \"firstbad {}\" \"User Commands\"\n"
                      ".SH NAME\nfirstbad \\- git bisect for training incidents\n"
                      ".SH SYNOPSIS\n.B firstbad\n"
                      "[\\-C CASE] [\\-\\-json] [\\-q|\\-v] [\\-\\-no\\-color] "
                      "COMMAND [ARGS]\n"
                      ".SH DESCRIPTION\n"
                      "Finds the first bad step of a training that went wrong, from the "
                      "logs that it already has.\n"
                      "Global options stand before or after the command.\n"
                      ".SH COMMANDS\n",
            FIRSTBAD_VERSION);
    for (const Command& command : commandTable())
        addCommand(out, command);
    out += ".SH \"GLOBAL OPTIONS\"\n";
    addOptionItems(out, optionsOf(nullptr), true);
    out += ".SH \"EXIT STATUS\"\n";
    for (const StatusInfo& info : statusTable())
        out += fmt::format(".TP\n{}\n{}\n", static_cast<int>(info.status), roff(info.text));
    out += ".SH ENVIRONMENT\n.TP\nFIRSTBAD_CASE\nThe case to use when \\-C is not given.\n"
           ".TP\nNO_COLOR\nIf set, no colours are written.\n"
           ".TP\nLC_ALL, LC_CTYPE, LANG\nDecide whether marks and plots may use Unicode.\n";
    return out;
}

}  // namespace firstbad::cli
