// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/import/decode/prefix.h"

#include "core/base/text.h"
#include "core/base/time.h"

#include <array>

namespace firstbad::core {
namespace {

/// What one prefix took: nothing when `length` is 0.
struct Taken {
    std::size_t length = 0;
    std::optional<std::int32_t> rank;
    double time = kNoTime;
};

std::size_t digitsAt(std::string_view text, std::size_t at) noexcept
{
    std::size_t count = 0;
    while (at + count < text.size() && isAsciiDigit(text[at + count]))
        ++count;
    return count;
}

std::optional<std::int32_t> rankFrom(std::string_view digits) noexcept
{
    constexpr std::size_t kMaxDigits = 6;
    if (digits.empty() || digits.size() > kMaxDigits)
        return std::nullopt;
    std::int32_t value = 0;
    for (const char c : digits)
        value = value * 10 + (c - '0');
    return value;
}

bool startsWith(std::string_view text, std::string_view part) noexcept
{
    return text.substr(0, part.size()) == part;
}

std::size_t blanksAt(std::string_view text, std::size_t at) noexcept
{
    std::size_t count = 0;
    while (at + count < text.size() && (text[at + count] == ' ' || text[at + count] == '\t'))
        ++count;
    return count;
}

/// "[rank0]:", "[default12]:", "[r1]", "[Rank 3]", "[host041:2]:", "[0]:", "[1,0]<stdout>:".
Taken bracketRank(std::string_view line) noexcept
{
    if (line.size() < 3 || line[0] != '[')
        return {};
    std::size_t at = 1;
    while (at < line.size() && (isAsciiAlpha(line[at]) || line[at] == ' ' || line[at] == '_'))
        ++at;
    const std::string_view word = trimmed(line.substr(1, at - 1));
    const bool named = equalsIgnoringCase(word, "rank") || equalsIgnoringCase(word, "r")
        || equalsIgnoringCase(word, "default") || equalsIgnoringCase(word, "trainer")
        || equalsIgnoringCase(word, "gpu") || equalsIgnoringCase(word, "local_rank")
        || equalsIgnoringCase(word, "worker") || equalsIgnoringCase(word, "proc");
    const std::size_t digits = digitsAt(line, at);
    if (digits == 0)
        return {};
    const auto rank = rankFrom(line.substr(at, digits));
    std::size_t end = at + digits;
    if (startsWith(line.substr(end), ",") && word.empty()) {  // mpirun: [job,rank]<stdout>:
        const std::size_t second = digitsAt(line, end + 1);
        const auto real = rankFrom(line.substr(end + 1, second));
        const std::string_view rest = line.substr(end + 1 + second);
        for (const std::string_view stream : {"]<stdout>:", "]<stderr>:"}) {
            if (startsWith(rest, stream))
                return {end + 1 + second + stream.size(), real, kNoTime};
        }
        return {};
    }
    if (end >= line.size() || line[end] != ']')
        return {};
    ++end;
    const bool colon = end < line.size() && line[end] == ':';
    if (!named && !(word.empty() && (colon || line.substr(end, 1) == " ")))
        return {};
    return {end + (colon ? 1U : 0U), rank, kNoTime};
}

/// "[host041:2]:" of pdsh and launchers: host, local rank.
Taken hostRank(std::string_view line) noexcept
{
    if (line.size() < 5 || line[0] != '[' || !isAsciiAlpha(line[1]))
        return {};
    std::size_t at = 1;
    while (at < line.size()
        && (isAsciiAlpha(line[at]) || isAsciiDigit(line[at]) || line[at] == '-' || line[at] == '.'
            || line[at] == '_'))
        ++at;
    const std::size_t digits = at < line.size() && line[at] == ':' ? digitsAt(line, at + 1) : 0;
    const std::size_t end = at + 1 + digits;
    if (digits == 0 || !startsWith(line.substr(end), "]:"))
        return {};
    return {end + 2, rankFrom(line.substr(at + 1, digits)), kNoTime};
}

/// "7: " and "34:" of srun -l, "4 :: ", "slurm_procid 5 : ".
Taken numberRank(std::string_view line) noexcept
{
    constexpr std::string_view kSlurm = "slurm_procid ";
    const bool slurm = startsWith(line, kSlurm);
    std::size_t at = slurm ? kSlurm.size() : blanksAt(line, 0);
    const std::size_t digits = digitsAt(line, at);
    if (digits == 0 || digits > 5)
        return {};
    const auto rank = rankFrom(line.substr(at, digits));
    at += digits;
    if (startsWith(line.substr(at), " :: "))
        return {at + 4, rank, kNoTime};
    if (slurm && startsWith(line.substr(at), " : "))
        return {at + 3, rank, kNoTime};
    // "12:34" is a clock or a ratio: a rank's colon is not followed by a digit.
    if (at >= line.size() || line[at] != ':' || slurm)
        return {};
    const bool digitFollows = at + 1 < line.size() && isAsciiDigit(line[at + 1]);
    const bool wordBefore = at + 1 < line.size() && line[at + 1] == ':';
    if (digitFollows || wordBefore)
        return {};
    return {at + 1, rank, kNoTime};
}

std::size_t skipLevelWord(std::string_view text) noexcept
{
    for (const std::string_view level :
        {"INFO", "WARNING", "WARN", "ERROR", "DEBUG", "CRITICAL", "FATAL"}) {
        if (startsWith(text, level))
            return level.size();
    }
    return 0;
}

/// One part of a logger's prefix: a level or a name without blanks, and the mark behind it.
struct LoggerPart {
    std::size_t end = 0;  // 0: no such part
    bool isLevel = false;
};

LoggerPart loggerPart(std::string_view window, std::size_t at, std::string_view mark) noexcept
{
    const std::size_t next = window.find(mark, at);
    if (next == std::string_view::npos)
        return {};
    const std::string_view word = trimmed(window.substr(at, next - at));
    const bool level = !word.empty() && skipLevelWord(word) == word.size();
    const bool name = !word.empty() && word.find_first_of(" =:") == std::string_view::npos;
    return level || name ? LoggerPart{next + mark.size(), level} : LoggerPart{};
}

/// " - name - INFO - ", " | INFO | name | " behind a clock.
std::size_t loggerLength(std::string_view text) noexcept
{
    constexpr std::size_t kWindow = 120;
    const std::string_view window = text.substr(0, kWindow);
    std::size_t at = blanksAt(window, 0);
    if (at >= window.size())
        return 0;
    const bool bars = window[at] == '|';
    if (bars || window[at] == '-')
        at += 1 + blanksAt(window, at + 1);
    else if (skipLevelWord(window.substr(at)) == 0)
        return 0;  // the record itself: nearly every line of a log with clocks
    const std::string_view mark = bars ? " | " : " - ";
    constexpr int kMaxParts = 4;
    bool sawLevel = false;
    std::size_t end = 0;
    for (int count = 0; count < kMaxParts; ++count) {
        const LoggerPart part = loggerPart(window, at, mark);
        if (part.end == 0)
            break;
        // "time - name - LEVEL - " ends at the level, "time | LEVEL | name | " one name behind it.
        const bool last = sawLevel || (part.isLevel && !bars);
        sawLevel = sawLevel || part.isLevel;
        at = part.end;
        if (sawLevel)
            end = at;
        if (last)
            break;
    }
    return end;
}

/// "[2031-02-03 04:05:06,123] ", "2031-02-03T04:05:06.1Z ", with the logger that follows.
Taken clockPrefix(std::string_view line) noexcept
{
    const std::size_t bracket = line[0] == '[' ? 1 : 0;
    if (line.size() < 19 + bracket || !isAsciiDigit(line[bracket]) || line[bracket] < '1'
        || line[bracket] > '2')
        return {};
    const auto parsed = parseTimePrefix(line.substr(bracket));
    if (!parsed)
        return {};
    std::size_t at = bracket + parsed->length;
    if (bracket != 0) {
        if (at >= line.size() || line[at] != ']')
            return {};
        ++at;
    } else if (at < line.size() && !isBlank(line[at]) && line[at] != ',' && line[at] != '|') {
        return {};
    }
    at += loggerLength(line.substr(at));
    return {at, std::nullopt, parsed->seconds};
}

/// "[INFO] [file.py:190:function] ", "[    INFO] - ", "[fairseq.trainer][INFO] - ", "INFO: ".
Taken loggerBracket(std::string_view line) noexcept
{
    if (line[0] != '[')
        return {};
    const std::size_t close = line.substr(0, 120).find(']');
    if (close == std::string_view::npos || close == 1)
        return {};
    const std::string_view inside = trimmed(line.substr(1, close - 1));
    const bool level = skipLevelWord(inside) == inside.size();
    const bool place = inside.find(".py:") != std::string_view::npos;
    const bool module = inside.find('.') != std::string_view::npos
        && inside.find_first_of(" =:,") == std::string_view::npos && isAsciiAlpha(inside.front())
        && startsWith(line.substr(close + 1), "[");
    if (inside.empty() || !(level || place || module || inside == "titan"))
        return {};
    std::size_t at = close + 1;
    if (startsWith(line.substr(at), " - "))
        at += 3;
    return {at, std::nullopt, kNoTime};
}

Taken quoting(std::string_view line) noexcept
{
    if (startsWith(line, "> "))
        return {2, std::nullopt, kNoTime};
    if (line[0] == ' ' || line[0] == '\t')
        return {blanksAt(line, 0), std::nullopt, kNoTime};
    return {};
}

/// "I0203 04:05:06.123456 140000000000001 file.py:181] " of absl and glog.
Taken abslPrefix(std::string_view line) noexcept
{
    const bool letter = line[0] == 'I' || line[0] == 'W' || line[0] == 'E' || line[0] == 'F';
    if (!letter || digitsAt(line, 1) != 4 || line.substr(5, 1) != " ")
        return {};
    const std::size_t close = line.substr(0, 120).find("] ");
    if (close == std::string_view::npos)
        return {};
    return {close + 2, std::nullopt, kNoTime};
}

Taken onePrefix(std::string_view line) noexcept
{
    const char c = line[0];
    if (isAsciiDigit(c) || c == '[') {
        if (const Taken clock = clockPrefix(line); clock.length != 0)
            return clock;
    }
    if (c == '[') {
        for (const auto& form : {bracketRank, hostRank, loggerBracket}) {
            if (const Taken taken = form(line); taken.length != 0)
                return taken;
        }
        return {};
    }
    if (isAsciiDigit(c) || c == 's' || c == ' ') {
        if (const Taken taken = numberRank(line); taken.length != 0)
            return taken;
    }
    if (const Taken taken = quoting(line); taken.length != 0)
        return taken;
    return abslPrefix(line);
}

}  // namespace

std::string_view stripPrefixes(std::string_view line, LinePrefix& prefix) noexcept
{
    constexpr int kMaxPrefixes = 12;
    for (int count = 0; count < kMaxPrefixes && !line.empty(); ++count) {
        const char c = line[0];
        if (c == '{'
            || (isAsciiAlpha(c) && c != 's' && c != 'I' && c != 'W' && c != 'E' && c != 'F'))
            break;
        const Taken taken = onePrefix(line);
        if (taken.length == 0)
            break;
        if (taken.rank && !prefix.rank)
            prefix.rank = taken.rank;
        if (isFinite(taken.time) && !isFinite(prefix.time))
            prefix.time = taken.time;
        line.remove_prefix(taken.length);
    }
    return line;
}

bool startsWithRankPrefix(std::string_view text) noexcept
{
    return !text.empty() && text[0] == '['
        && (bracketRank(text).length != 0 || hostRank(text).length != 0);
}

}  // namespace firstbad::core
