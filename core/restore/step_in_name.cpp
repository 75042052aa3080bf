// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/number.h"
#include "core/base/text.h"
#include "core/restore/find_checkpoints.h"

#include <array>

namespace firstbad::core {
namespace {

/// The digits behind the last of the words that name a step.
std::optional<std::int64_t> stepInPart(std::string_view part)
{
    constexpr std::array<std::string_view, 4> kWords{"step", "iter", "checkpoint", "ckpt"};
    const std::string lower = toLowerAscii(part);
    std::size_t at = std::string::npos;
    for (const std::string_view word : kWords) {
        const std::size_t found = lower.rfind(word);
        if (found != std::string::npos && at == std::string::npos)
            at = found + word.size();
    }
    while (at < part.size() && !isAsciiDigit(part[at]))
        ++at;
    std::size_t stop = at;
    while (stop < part.size() && isAsciiDigit(part[stop]))
        ++stop;
    return at < stop ? parseInteger(part.substr(at, stop - at)) : std::nullopt;
}

}  // namespace

std::optional<std::int64_t> stepInName(const std::string& path)
{
    std::size_t end = path.size();
    while (end > 0) {
        const std::size_t slash = path.rfind('/', end - 1);
        const std::size_t begin = slash == std::string::npos ? 0 : slash + 1;
        if (const auto step = stepInPart(std::string_view(path).substr(begin, end - begin)))
            return step;
        end = begin == 0 ? 0 : begin - 1;
    }
    return std::nullopt;
}

}  // namespace firstbad::core
