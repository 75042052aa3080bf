// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/import/dialects/chronicle_date.h"

#include "core/base/time.h"
#include "core/import/dialects/line_scanner.h"

#include <array>
#include <fmt/format.h>

namespace firstbad::core {
namespace {

constexpr std::array<std::string_view, 12> kMonths{"January ", "February ", "March ", "April ",
    "May ", "June ", "July ", "August ", "September ", "October ", "November ", "December "};

struct Parts {
    std::int64_t year = 0;
    std::int64_t month = 0;
    std::int64_t day = 0;
    std::int64_t hour = 0;
    std::int64_t minute = 0;
    std::int64_t second = 0;
    bool hasClock = false;
    std::size_t length = 0;
};

// " 04:05", "-04:05:06" of a run's name, "_04:05"
void takeClock(LineScanner& scan, Parts& parts)
{
    LineScanner ahead = scan;
    if (!ahead.take(" ") && !ahead.take("-") && !ahead.take("_"))
        return;
    if (ahead.rest().empty() || !isAsciiDigit(ahead.rest().front()))
        return;
    const auto hour = ahead.takeCounter();
    const auto minute = ahead.take(":") ? ahead.takeCounter() : std::nullopt;
    if (!hour || !minute)
        return;
    parts.hour = *hour;
    parts.minute = *minute;
    if (LineScanner more = ahead; more.take(":")) {
        if (const auto second = more.takeCounter()) {
            parts.second = *second;
            ahead = more;
        }
    }
    parts.hasClock = true;
    scan = ahead;
}

std::optional<Parts> numericDate(std::string_view text)
{
    LineScanner scan(text);
    Parts parts;
    const auto year = scan.takeCounter();
    if (!year || *year < 1990 || *year > 2200 || scan.rest().empty())
        return std::nullopt;
    const char mark = scan.rest().front();
    if (mark != '-' && mark != '.' && mark != '/')
        return std::nullopt;
    const std::string_view between(&mark, 1);
    const auto month = scan.take(between) ? scan.takeCounter() : std::nullopt;
    const auto day = month && scan.take(between) ? scan.takeCounter() : std::nullopt;
    if (!day)
        return std::nullopt;
    parts.year = *year;
    parts.month = *month;
    parts.day = *day;
    takeClock(scan, parts);
    parts.length = text.size() - scan.rest().size();
    return parts;
}

std::optional<Parts> wordDate(std::string_view text)
{
    LineScanner scan(text);
    for (std::size_t month = 0; month < kMonths.size(); ++month) {
        if (!scan.take(kMonths.at(month)))
            continue;
        const auto day = scan.takeCounter();
        const auto year = day && scan.take(",") ? scan.takeCounter() : std::nullopt;
        if (!year)
            return std::nullopt;
        Parts parts;
        parts.year = *year;
        parts.month = static_cast<std::int64_t>(month) + 1;
        parts.day = *day;
        parts.length = text.size() - scan.rest().size();
        return parts;
    }
    return std::nullopt;
}

std::optional<double> secondsOf(const Parts& parts)
{
    const std::string iso = fmt::format("{:04}-{:02}-{:02} {:02}:{:02}:{:02}", parts.year,
        parts.month, parts.day, parts.hour, parts.minute, parts.second);
    const auto parsed = parseTimePrefix(iso);
    return parsed && parsed->length == iso.size() ? std::optional(parsed->seconds) : std::nullopt;
}

}  // namespace

std::optional<WrittenDate> findWrittenDate(std::string_view line)
{
    for (std::size_t at = 0; at < line.size(); ++at) {
        const bool insideWord = at > 0 && isAsciiDigit(line[at - 1]);
        if (insideWord || !(isAsciiDigit(line[at]) || (line[at] >= 'A' && line[at] <= 'S')))
            continue;
        const std::string_view text = line.substr(at);
        const auto parts = isAsciiDigit(line[at]) ? numericDate(text) : wordDate(text);
        const auto seconds = parts ? secondsOf(*parts) : std::nullopt;
        if (seconds)
            return WrittenDate{*seconds, at, parts->length, parts->hasClock};
    }
    return std::nullopt;
}

}  // namespace firstbad::core
