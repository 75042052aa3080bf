// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/import/source_excerpt.h"

#include "core/base/text.h"
#include "core/import/decode/text_source.h"

#include <fmt/format.h>

namespace firstbad::core {
namespace {

constexpr std::size_t kMostBytesOfLine = 4096;

std::string shownLine(std::string_view raw)
{
    const bool cut = raw.size() > kMostBytesOfLine;
    std::string text = escapedForTerminal(raw.substr(0, kMostBytesOfLine));
    if (cut)
        text += fmt::format(" … {} more bytes", raw.size() - kMostBytesOfLine);
    return text;
}

}  // namespace

Result<SourceExcerpt> readExcerpt(const std::filesystem::path& path, std::uint64_t line,
    std::uint64_t before, std::uint64_t after, JobContext& job)
{
    if (path.string().find('!') != std::string::npos && !std::filesystem::exists(path))
        return fail(ErrorCode::Unsupported,
            fmt::format("{} lies inside an archive; its text is not shown.", path.string()),
            "Unpack the archive and open the folder.");
    auto source = TextSource::open(path, false);
    if (!source)
        return tl::unexpected(std::move(source.error()));
    const std::uint64_t from = line > before ? line - before : 1;
    const std::uint64_t to = line + after;
    SourceExcerpt excerpt;
    excerpt.encoding = (*source)->encoding();
    RecordSink unused;
    job.setStage("reading the source", to);
    for (;;) {
        const auto next = (*source)->next(unused, job);
        if (!next)
            return tl::unexpected(next.error());
        if (!*next) {
            excerpt.reachesEnd = true;
            return excerpt;
        }
        const TextLine& read = **next;
        if (read.number > to)
            return excerpt;
        if (read.number < from)
            continue;
        if (!excerpt.lines.empty() && excerpt.lines.back().number == read.number)
            continue;  // a progress bar: several logical lines on one
        excerpt.lines.push_back({read.number, shownLine(read.raw)});
    }
}

}  // namespace firstbad::core
