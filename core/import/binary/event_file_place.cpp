// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/import/binary/event_file_place.h"

#include "core/base/number.h"
#include "core/base/text.h"

#include <algorithm>

namespace firstbad::core {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kMark = "tfevents.";
constexpr std::size_t kMaxCurveLevels = 4;

fs::path absoluteFolder(const SourceRef& source)
{
    std::error_code failed;
    const fs::path absolute = fs::absolute(source.path, failed);
    return (failed ? source.path : absolute).lexically_normal().parent_path();
}

}  // namespace

std::optional<double> timeInEventFileName(std::string_view fileName)
{
    const std::size_t mark = fileName.find(kMark);
    if (mark == std::string_view::npos)
        return std::nullopt;
    const std::string_view rest = fileName.substr(mark + kMark.size());
    const auto end = std::find_if_not(rest.begin(), rest.end(), isAsciiDigit);
    const auto seconds = parseInteger(rest.substr(0, static_cast<std::size_t>(end - rest.begin())));
    return seconds ? std::optional<double>(static_cast<double>(*seconds)) : std::nullopt;
}

std::string runOfEventFile(const SourceRef& source, std::size_t levelsUp)
{
    fs::path below(source.runHint);
    fs::path folder = absoluteFolder(source);
    for (std::size_t i = 0; i < levelsUp; ++i) {
        below = below.parent_path();
        folder = folder.parent_path();
    }
    if (!below.empty() && below != ".")
        return below.generic_string();
    return folder.filename().empty() ? folder.generic_string() : folder.filename().string();
}

std::optional<ScalarsCurve> scalarsCurve(const SourceRef& source, std::string_view tag)
{
    if (tag.empty())
        return std::nullopt;
    std::string start(tag);
    std::replace(start.begin(), start.end(), '/', '_');
    start += '_';
    std::string below;
    fs::path folder = absoluteFolder(source);
    for (std::size_t levels = 1; levels <= kMaxCurveLevels && !folder.empty(); ++levels) {
        const std::string name = folder.filename().string();
        below = below.empty() ? name : name + '/' + below;
        if (below.size() > start.size() && below.starts_with(start))
            return ScalarsCurve{below.substr(start.size()), levels};
        folder = folder.parent_path();
    }
    return std::nullopt;
}

}  // namespace firstbad::core
