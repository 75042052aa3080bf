// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/detect/quoted_field.h"

#include "core/base/number.h"
#include "core/base/text.h"

namespace firstbad::core {
namespace {

/// What follows `"name":`, blanks skipped.
std::string_view afterKey(std::string_view line, std::string_view name)
{
    const std::string key = '"' + std::string(name) + "\":";
    const auto at = line.find(key);
    return at == std::string_view::npos ? std::string_view()
                                        : trimmed(line.substr(at + key.size()));
}

}  // namespace

std::string quotedText(std::string_view line, std::string_view name)
{
    const std::string_view rest = afterKey(line, name);
    if (rest.empty() || rest.front() != '"')
        return {};
    const auto end = rest.find('"', 1);
    return end == std::string_view::npos ? std::string() : std::string(rest.substr(1, end - 1));
}

std::optional<std::int64_t> quotedInteger(std::string_view line, std::string_view name)
{
    const std::string_view rest = afterKey(line, name);
    return parseInteger(rest.substr(0, rest.find_first_of(",}] ")));
}

}  // namespace firstbad::core
