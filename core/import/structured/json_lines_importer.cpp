// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/import/structured/json_lines_importer.h"

#include "core/base/text.h"
#include "core/import/structured/cell.h"
#include "core/import/structured/json_lines_reader.h"
#include "core/import/structured/source_reading.h"

namespace firstbad::core {
namespace {

/// Takes any object; only whether it can be read matters.
class Ignore : public JsonVisitor
{
public:
    bool null() override { return true; }
    bool boolean(bool /*flag*/) override { return true; }
    bool number(std::string_view /*spelled*/) override { return true; }
    bool text(std::string_view /*content*/) override { return true; }
    bool key(std::string_view /*name*/) override { return true; }
    bool beginObject() override { return true; }
    bool endObject() override { return true; }
    bool beginArray() override { return true; }
    bool endArray() override { return true; }
    void restart() override { }
};

struct HeadCount {
    int objects = 0;
    int others = 0;
};

HeadCount countLines(std::string_view text)
{
    constexpr int kEnough = 40;
    JsonReader reader;
    Ignore ignore;
    HeadCount count;
    while (!text.empty() && count.objects + count.others < kEnough) {
        const std::size_t end = text.find('\n');
        const bool whole = end != std::string_view::npos;
        const std::string_view line = trimmed(text.substr(0, end));
        text.remove_prefix(whole ? end + 1 : text.size());
        if (line.empty())
            continue;
        if (line.front() == '{' && reader.read(line, ignore))
            ++count.objects;
        else if (whole)
            ++count.others;
    }
    return count;
}

}  // namespace

int sniffJsonLines(const SourceHead& head)
{
    if (head.isFolder || head.text.empty() || head.path.extension() == ".ipynb")
        return 0;
    const std::string name = head.path.filename().string();
    const bool named
        = name.find(".jsonl") != std::string::npos || name.find(".ndjson") != std::string::npos;
    const HeadCount count = countLines(withoutByteOrderMark(head.text));
    if (count.objects == 0)
        return named && trimmed(withoutByteOrderMark(head.text)).substr(0, 1) == "{" ? 82 : 0;
    if (named)
        return 90;
    // One object alone is a document; most of the lines have to be objects.
    if (count.objects == 1)
        return count.others > 0 ? 20 : 50;
    return count.objects > count.others ? 88 : 25;
}

Result<std::vector<SourceData>> readJsonLines(
    const SourceRef& source, const ImportOptions& options, JobContext& job)
{
    auto text = TextSource::open(source.path, false);
    if (!text)
        return tl::unexpected<Error>(std::move(text.error()));
    RecordSink sink;
    JsonLinesReader reader(sink, options);
    while (true) {
        const auto line = (*text)->next(sink, job);
        if (!line)
            return tl::unexpected<Error>(line.error());
        if (!*line)
            break;
        reader.add({(*line)->raw, (*line)->number, (*line)->offset, (*line)->unterminated});
    }
    reader.finish();
    return finishSource(sink.take(), source, "jsonl", **text);
}

}  // namespace firstbad::core
