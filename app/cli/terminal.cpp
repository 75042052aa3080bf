// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/terminal.h"

#include "core/base/number.h"
#include "core/base/text.h"

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

namespace firstbad::cli {
namespace {

std::string_view variable(const char* name) noexcept
{
    const char* value = std::getenv(name);
    return value == nullptr ? std::string_view() : std::string_view(value);
}

bool localeIsUtf8() noexcept
{
    for (const char* name : {"LC_ALL", "LC_CTYPE", "LANG"}) {
        const std::string_view value = variable(name);
        if (!value.empty())
            return core::containsIgnoringCase(value, "utf-8")
                || core::containsIgnoringCase(value, "utf8");
    }
    return false;
}

/// COLORFGBG ends in the background's colour number; 7 and 9 to 15 are light.
bool backgroundIsLight() noexcept
{
    const std::string_view colours = variable("COLORFGBG");
    const std::size_t separator = colours.rfind(';');
    if (separator == std::string_view::npos)
        return false;
    const auto number = core::parseInteger(colours.substr(separator + 1));
    return number && (*number == 7 || (*number >= 9 && *number <= 15));
}

core::Palette detectPalette()
{
    const std::string_view terminal = variable("TERM");
    if (terminal.empty() || terminal == "dumb")
        return core::Palette::None;
    const bool many = terminal.find("256") != std::string_view::npos
        || terminal.find("kitty") != std::string_view::npos || !variable("COLORTERM").empty();
    if (!many)
        return core::Palette::Basic;
    return backgroundIsLight() ? core::Palette::Light : core::Palette::Dark;
}

}  // namespace

bool isTerminal(int descriptor) noexcept
{
    return ::isatty(descriptor) == 1;
}

int terminalColumns(int descriptor) noexcept
{
    constexpr int kFallback = 80;
    constexpr int kWidest = 1000;
    winsize size{};
    if (::ioctl(descriptor, TIOCGWINSZ, &size) == 0 && size.ws_col > 0)
        return size.ws_col;
    const auto columns = core::parseInteger(variable("COLUMNS"));
    return columns && *columns > 0 && *columns <= kWidest ? static_cast<int>(*columns) : kFallback;
}

core::TextStyle detectStyle(bool wantColour)
{
    core::TextStyle style;
    style.unicode = localeIsUtf8();
    style.columns = terminalColumns(STDOUT_FILENO);
    if (wantColour && isTerminal(STDOUT_FILENO) && variable("NO_COLOR").empty())
        style.palette = detectPalette();
    return style;
}

core::Result<void> writeAll(int descriptor, std::string_view text)
{
    while (!text.empty()) {
        const ssize_t written = ::write(descriptor, text.data(), text.size());
        if (written >= 0) {
            text.remove_prefix(static_cast<std::size_t>(written));
            continue;
        }
        if (errno == EINTR)
            continue;
        if (errno == EPIPE)
            return {};
        return core::fail(core::ErrorCode::Unreadable,
            fmt::format("The output cannot be written: {}.", std::strerror(errno)),
            errno == ENOSPC ? "Free some space, or write to another disk." : "");
    }
    return {};
}

}  // namespace firstbad::cli
