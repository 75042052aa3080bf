// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/import/structured/json_importer.h"

#include "core/base/text.h"
#include "core/import/structured/cell.h"
#include "core/import/structured/source_reading.h"

#include <algorithm>
#include <fmt/format.h>

namespace firstbad::core {
namespace {

constexpr std::size_t kMaxDocument = std::size_t{256} << 20U;

}  // namespace

int sniffJson(const SourceHead& head)
{
    // A notebook is JSON too, but what it holds is text: the text reader digs the log out of it.
    if (head.isFolder || head.path.extension() == ".ipynb")
        return 0;
    const std::string_view text = trimmed(withoutByteOrderMark(head.text));
    if (text.empty() || (text.front() != '{' && text.front() != '['))
        return 0;
    const bool named = head.path.extension() == ".json";
    if (text.front() == '{')
        return named ? 80 : 55;
    const std::string_view inside = trimmed(text.substr(1));
    const bool plausible = inside.empty() || inside.front() == '{' || inside.front() == ']';
    if (plausible)
        return named ? 85 : 65;
    return named ? 50 : 0;
}

Result<std::vector<SourceData>> readJson(
    const SourceRef& source, const ImportOptions& options, JobContext& job)
{
    auto text = TextSource::open(source.path, false);
    if (!text)
        return tl::unexpected<Error>(std::move(text.error()));
    RecordSink reading;
    std::string document;
    while (true) {
        const auto line = (*text)->next(reading, job);
        if (!line)
            return tl::unexpected<Error>(line.error());
        if (!*line)
            break;
        if (document.size() + (*line)->raw.size() > kMaxDocument)
            return fail(ErrorCode::Unsupported,
                fmt::format("{} is a JSON document of more than {}.", source.path.string(),
                    humanBytes(kMaxDocument)),
                "Write the records as JSON lines: these are read without a limit.");
        document.append((*line)->raw);
        document += '\n';
    }
    SourceData data
        = readJsonText(withoutByteOrderMark(document), source.path.filename().string(), options);
    auto& skipped = data.info.skipped;
    const auto& before = reading.data().info.skipped;
    skipped.insert(skipped.begin(), before.begin(), before.end());
    return finishSource(std::move(data), source, "json", **text);
}

}  // namespace firstbad::core
