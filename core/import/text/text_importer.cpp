// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/import/text/text_importer.h"

#include "core/base/text.h"
#include "core/import/decode/prefix.h"
#include "core/import/text/dialect_choice.h"
#include "core/import/text/dialect_runner.h"
#include "core/import/text/rotation.h"

#include <fmt/format.h>

namespace firstbad::core {
namespace {

constexpr int kCertainDialect = 95;  // above what reads any file of a syntax
constexpr int kSomeText = 5;  // any text may hold events or a record further down

Result<DialectScores> scoreHead(const std::filesystem::path& path, JobContext& job)
{
    auto source = TextSource::open(path);
    if (!source)
        return tl::unexpected(source.error());
    RecordSink ignored;
    DialectScores scores;
    while (!scores.decided()) {
        auto line = (*source)->next(ignored, job);
        if (!line)
            return tl::unexpected(line.error());
        if (!*line)
            break;
        scores.add(**line);
    }
    return scores;
}

void reportSplit(const TextLine& line, const Rotation& rotation, RecordSink& sink)
{
    SkippedPart part;
    part.code = "line-split-by-rotation";
    part.reason = fmt::format("The first line continues the last one of {} and is read with it.",
        rotation.older.filename().string());
    part.length = line.raw.size();
    part.line = line.number;
    sink.addSkipped(std::move(part));
}

SourceData finished(RecordSink& sink, const SourceRef& ref, const TextSource& text)
{
    SourceData data = sink.take();
    data.info.path = ref.shownPath;
    data.info.bytes = text.bytesOnDisk();
    data.info.encoding = std::string(text.encoding());
    const bool nothing = data.info.records == 0 && data.events.empty();
    if (nothing) {
        data.info.state = SourceState::NotRecognised;
        data.info.message = fmt::format("{} is text, but no line of it looks like a record of a "
                                        "training.",
            ref.shownPath);
        data.info.hint
            = "A line needs a step (step, iteration, ...) and at least one other number.";
    }
    return data;
}

}  // namespace

int sniffText(const SourceHead& head)
{
    if (head.text.empty())
        return 0;
    DialectScores scores;
    std::string_view rest = head.text;
    while (!rest.empty() && !scores.decided()) {
        const std::size_t end = rest.find('\n');
        TextLine line;
        line.raw = rest.substr(0, end);
        LinePrefix prefix;
        line.text = stripPrefixes(trimmed(line.raw), prefix);
        line.rank = prefix.rank;
        scores.add(line);
        rest = end == std::string_view::npos ? std::string_view() : rest.substr(end + 1);
    }
    const LineDialect* const best = scores.best();
    if (best == nullptr)
        return kSomeText;
    return scores.isCertain() ? kCertainDialect : 2 * kSomeText;
}

namespace {

/// Runs the dialects over every line. A line that log rotation cut is read with its first half.
Result<void> readLines(TextSource& text, const Rotation& rotation, DialectRunner& runner,
    RecordSink& sink, JobContext& job)
{
    std::string joined;
    for (bool first = true;; first = false) {
        const auto next = text.next(sink, job);
        if (!next)
            return tl::unexpected(next.error());
        if (!*next)
            return {};
        TextLine line = **next;
        if (first && rotation.olderEndsOpen) {
            reportSplit(line, rotation, sink);
            continue;
        }
        if (line.unterminated && rotation.newer) {
            joined = std::string(line.raw) + firstLineOf(*rotation.newer);
            LinePrefix prefix;
            line.raw = joined;
            line.text = stripPrefixes(joined, prefix);
            line.unterminated = false;
        }
        runner.read(line);
    }
}

}  // namespace

Result<std::vector<SourceData>> readText(
    const SourceRef& source, const ImportOptions& options, JobContext& job)
{
    static_cast<void>(options);
    const auto scores = scoreHead(source.path, job);
    if (!scores)
        return tl::unexpected(scores.error());
    auto text = TextSource::open(source.path);
    if (!text)
        return tl::unexpected(text.error());
    RecordSink sink;
    DialectRunner runner(*scores, sink);
    const Rotation rotation = rotationOf(source.path);
    if (const auto read = readLines(**text, rotation, runner, sink, job); !read)
        return tl::unexpected(read.error());
    runner.finish();
    std::vector<SourceData> all;
    all.push_back(finished(sink, source, **text));
    const LineDialect* const best = scores->best();
    all.back().info.format = best != nullptr ? std::string(best->id) : "text";
    all.back().traits.dialect = all.back().info.format;
    all.back().stream = rotation.stream;
    all.back().orderHint = rotation.order;
    return all;
}

}  // namespace firstbad::core
