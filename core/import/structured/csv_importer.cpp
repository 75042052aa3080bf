// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/import/structured/csv_importer.h"

#include "core/base/text.h"
#include "core/import/structured/csv_table.h"
#include "core/import/structured/source_reading.h"

namespace firstbad::core {
namespace {

std::vector<std::string> firstLines(std::string_view text)
{
    constexpr std::size_t kEnough = 30;
    std::vector<std::string> lines;
    while (!text.empty() && lines.size() < kEnough) {
        const std::size_t end = text.find('\n');
        if (end == std::string_view::npos && !lines.empty())
            break;  // perhaps cut
        std::string_view line = text.substr(0, end);
        text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
        if (!line.empty() && line.back() == '\r')
            line.remove_suffix(1);
        if (!line.empty())
            lines.emplace_back(line);
    }
    return lines;
}

std::string bareName(const std::filesystem::path& path)
{
    std::string name = path.filename().string();
    for (const std::string_view ending : {".gz", ".zst", ".csv", ".tsv"}) {
        const std::size_t at = name.rfind(ending);
        if (at != std::string::npos && at + ending.size() == name.size())
            name.resize(at);
    }
    return name;
}

std::string_view formatOf(const SourceRef& source, bool isTab)
{
    const std::string name = source.path.filename().string();
    if (name.substr(0, 11) == "metrics.csv")
        return "lightning-csv";
    if (name.substr(0, 14) == "Train_Samples_")
        return "deepspeed-csv";
    return isTab ? "tsv" : "csv";
}

}  // namespace

int sniffCsv(const SourceHead& head)
{
    if (head.isFolder || head.text.empty())
        return 0;
    const std::string name = head.path.filename().string();
    const bool named
        = name.find(".csv") != std::string::npos || name.find(".tsv") != std::string::npos;
    const auto shape = guessCsvShape(firstLines(withoutByteOrderMark(head.text)));
    if (!shape)
        return named ? 30 : 0;
    if (named)
        return shape->hasHeader ? 92 : 75;
    bool step = false;
    bool measured = false;
    for (const std::string& column : shape->names) {
        step = step || stepName(column);
        measured = measured || quantityFromName(column) != Quantity::Other;
    }
    return shape->hasHeader && step && measured ? 70 : 0;
}

Result<std::vector<SourceData>> readCsv(
    const SourceRef& source, const ImportOptions& options, JobContext& job)
{
    auto text = TextSource::open(source.path, false);
    if (!text)
        return tl::unexpected<Error>(std::move(text.error()));
    RecordSink sink;
    CsvTable table(sink, bareName(source.path), options);
    bool isTab = false;
    while (true) {
        const auto line = (*text)->next(sink, job);
        if (!line)
            return tl::unexpected<Error>(line.error());
        if (!*line)
            break;
        const TextLine& found = **line;
        isTab = isTab || (found.number < 5 && found.raw.find('\t') != std::string_view::npos);
        table.add({found.number == 1 ? withoutByteOrderMark(found.raw) : found.raw, found.number,
            found.offset, found.unterminated});
    }
    table.finish();
    SourceData data = sink.take();
    if (!table.isTable()) {
        data.info.state = SourceState::NotRecognised;
        data.info.message = source.shownPath
            + ": no delimiter (comma, semicolon, tab, bar) gives rows of equal length.";
        data.info.hint = "Give the file a header line, or use another format with --format.";
    }
    return finishSource(std::move(data), source, formatOf(source, isTab), **text);
}

}  // namespace firstbad::core
