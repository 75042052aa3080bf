// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/import/text/rotation.h"

#include "core/base/file.h"
#include "core/base/number.h"
#include "core/import/decode/text_source.h"

#include <array>
#include <fmt/format.h>

namespace firstbad::core {
namespace {

namespace fs = std::filesystem;

struct NameParts {
    std::string base;  // "train.log"
    std::int64_t number = 0;  // 0: the file that is still written
    std::string packing;  // ".gz", ".zst" or empty
};

NameParts partsOf(std::string name)
{
    NameParts parts;
    for (const std::string_view packing : {".gz", ".zst"}) {
        if (name.ends_with(packing)) {
            parts.packing = packing;
            name = name.substr(0, name.size() - packing.size());
        }
    }
    constexpr std::size_t kMaxDigits = 4;
    const std::size_t dot = name.rfind('.');
    const std::string_view digits
        = dot == std::string::npos ? std::string_view() : std::string_view(name).substr(dot + 1);
    const bool numbered = dot != 0 && !digits.empty() && digits.size() <= kMaxDigits
        && digits.find_first_not_of("0123456789") == std::string_view::npos;
    parts.base = numbered ? name.substr(0, dot) : name;
    parts.number = numbered ? parseInteger(digits).value_or(0) : 0;
    return parts;
}

/// The part of that number, packed or not; empty when there is none.
fs::path partPath(const fs::path& folder, const std::string& base, std::int64_t number)
{
    const std::string name = number == 0 ? base : fmt::format("{}.{}", base, number);
    for (const std::string_view packing : {"", ".gz", ".zst"}) {
        fs::path path = folder / (name + std::string(packing));
        std::error_code ignored;
        if (fs::is_regular_file(fs::symlink_status(path, ignored)))
            return path;
    }
    return {};
}

bool endsOpen(const fs::path& path)
{
    const auto file = InputFile::open(path);
    const auto stamp = file ? file->stamp() : Result<FileStamp>(FileStamp{});
    if (!file || !stamp || stamp->bytes == 0 || path.extension() == ".gz"
        || path.extension() == ".zst")
        return false;
    std::array<char, 1> last{};
    const auto got = file->readAt(stamp->bytes - 1, last);
    return got && *got == 1 && last[0] != '\n';
}

}  // namespace

Rotation rotationOf(const fs::path& path)
{
    const NameParts parts = partsOf(path.filename().string());
    const fs::path folder = path.parent_path();
    Rotation rotation;
    rotation.older = partPath(folder, parts.base, parts.number + 1);
    const fs::path newer
        = parts.number > 0 ? partPath(folder, parts.base, parts.number - 1) : fs::path();
    if (rotation.older.empty() && newer.empty())
        return rotation;
    rotation.stream = (folder / parts.base).string();
    rotation.order = -static_cast<double>(parts.number);
    if (!newer.empty())
        rotation.newer = newer;
    rotation.olderEndsOpen = !rotation.older.empty() && endsOpen(rotation.older);
    return rotation;
}

std::string firstLineOf(const fs::path& path)
{
    const auto source = TextSource::open(path, false);
    if (!source)
        return {};
    RecordSink ignored;
    JobContext job;
    const auto line = (*source)->next(ignored, job);
    return line && *line ? std::string((*line)->raw) : std::string();
}

}  // namespace firstbad::core
