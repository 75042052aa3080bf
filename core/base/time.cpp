// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/time.h"

#include "core/base/text.h"
#include "core/base/value_kind.h"

#include <chrono>
#include <cmath>
#include <fmt/format.h>

namespace firstbad::core {
namespace {

/// Reads exactly `digits` digits at `at` and moves on; -1 when they are not there.
int fixedDigits(std::string_view text, std::size_t& at, std::size_t digits) noexcept
{
    if (text.size() < at + digits)
        return -1;
    int value = 0;
    for (std::size_t i = 0; i < digits; ++i) {
        const char c = text[at + i];
        if (!isAsciiDigit(c))
            return -1;
        value = value * 10 + (c - '0');
    }
    at += digits;
    return value;
}

bool take(std::string_view text, std::size_t& at, std::string_view anyOf) noexcept
{
    if (at >= text.size() || anyOf.find(text[at]) == std::string_view::npos)
        return false;
    ++at;
    return true;
}

double fraction(std::string_view text, std::size_t& at) noexcept
{
    const bool mark = at + 1 < text.size() && (text[at] == '.' || text[at] == ',')
        && isAsciiDigit(text[at + 1]);
    if (!mark)
        return 0.0;
    ++at;
    double value = 0.0;
    double scale = 0.1;
    for (; at < text.size() && isAsciiDigit(text[at]); ++at) {
        value += scale * (text[at] - '0');
        scale /= 10.0;
    }
    return value;
}

/// Offset in seconds of "Z", "+08:00", "-0530" at `at`; nullopt when no zone stands there.
std::optional<int> zone(std::string_view text, std::size_t& at) noexcept
{
    if (take(text, at, "Z"))
        return 0;
    if (at >= text.size() || (text[at] != '+' && text[at] != '-'))
        return std::nullopt;
    std::size_t probe = at + 1;
    const int hours = fixedDigits(text, probe, 2);
    static_cast<void>(take(text, probe, ":"));
    const int minutes = fixedDigits(text, probe, 2);
    if (hours < 0 || minutes < 0 || hours > 14 || minutes > 59)
        return std::nullopt;
    const int sign = text[at] == '-' ? -1 : 1;
    at = probe;
    return sign * (hours * 3600 + minutes * 60);
}

}  // namespace

std::optional<ParsedTime> parseTimePrefix(std::string_view text) noexcept
{
    using namespace std::chrono;
    std::size_t at = 0;
    const int y = fixedDigits(text, at, 4);
    if (y < 0 || !take(text, at, "-/."))
        return std::nullopt;
    const int m = fixedDigits(text, at, 2);
    if (m < 0 || !take(text, at, "-/."))
        return std::nullopt;
    const int d = fixedDigits(text, at, 2);
    const year_month_day date{year(y), month(static_cast<unsigned>(m < 0 ? 0 : m)),
        day(static_cast<unsigned>(d < 0 ? 0 : d))};
    if (!date.ok() || !take(text, at, " T-"))
        return std::nullopt;
    const int hh = fixedDigits(text, at, 2);
    if (hh < 0 || hh > 23 || !take(text, at, ":"))
        return std::nullopt;
    const int mm = fixedDigits(text, at, 2);
    if (mm < 0 || mm > 59 || !take(text, at, ":"))
        return std::nullopt;
    const int ss = fixedDigits(text, at, 2);
    if (ss < 0 || ss > 60)
        return std::nullopt;
    const double part = fraction(text, at);
    const auto offset = zone(text, at);
    const auto days = sys_days(date).time_since_epoch().count();
    const double seconds = static_cast<double>(days) * 86400.0 + hh * 3600.0 + mm * 60.0 + ss + part
        - static_cast<double>(offset.value_or(0));
    return ParsedTime{seconds, at, offset.has_value()};
}

std::string toIso8601(double seconds)
{
    using namespace std::chrono;
    constexpr double kYear0 = -62167219200.0;
    constexpr double kYear9999 = 253402300799.0;
    if (!isFinite(seconds) || seconds < kYear0 || seconds > kYear9999)
        return {};
    const auto totalMs = static_cast<long long>(std::llround(seconds * 1000.0));
    const long long day = totalMs >= 0 ? totalMs / 86400000 : (totalMs - 86399999) / 86400000;
    const long long ms = totalMs - day * 86400000;
    const year_month_day date{sys_days(days(day))};
    return fmt::format("{:04}-{:02}-{:02}T{:02}:{:02}:{:02}.{:03}Z", static_cast<int>(date.year()),
        static_cast<unsigned>(date.month()), static_cast<unsigned>(date.day()), ms / 3600000,
        ms / 60000 % 60, ms / 1000 % 60, ms % 1000);
}

std::string humanDuration(double seconds)
{
    if (!isFinite(seconds))
        return "unknown";
    if (seconds < 60.0)
        return fmt::format("{:.2g} s", seconds);
    const auto whole = static_cast<long long>(seconds);
    if (whole < 3600)
        return fmt::format("{} min {} s", whole / 60, whole % 60);
    if (whole < 86400)
        return fmt::format("{} h {} min", whole / 3600, whole / 60 % 60);
    return fmt::format("{} d {} h", whole / 86400, whole / 3600 % 24);
}

}  // namespace firstbad::core
