// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/import/binary/source_frame.h"

#include "core/base/file.h"
#include "core/base/hash.h"
#include "core/base/text.h"

namespace firstbad::core {

std::string shownName(const SourceRef& source)
{
    return escapedForTerminal(source.shownPath.empty() ? source.path.string() : source.shownPath);
}

Result<SourceInfo> describeFile(
    const SourceRef& source, std::string_view format, const ImportOptions& options, JobContext& job)
{
    const auto file = InputFile::open(source.path);
    if (!file)
        return tl::unexpected(file.error());
    const auto stamp = file->stamp();
    if (!stamp)
        return tl::unexpected(stamp.error());
    SourceInfo info;
    info.path = source.shownPath.empty() ? source.path.string() : source.shownPath;
    info.format = format;
    info.bytes = stamp->bytes;
    if (options.hashSources) {
        auto hash = sha256OfFile(source.path, job);
        if (!hash)
            return tl::unexpected(std::move(hash.error()));
        info.sha256 = std::move(*hash);
    }
    return info;
}

SourceData damagedSource(SourceInfo info, const char* code, std::string sentence, std::string hint)
{
    SourceData data;
    data.info = std::move(info);
    data.info.state = SourceState::Damaged;
    SkippedPart part;
    part.code = code;
    part.reason = sentence;
    part.length = data.info.bytes;
    data.info.skipped.push_back(std::move(part));
    data.info.message = std::move(sentence);
    data.info.hint = std::move(hint);
    return data;
}

SourceData unsupportedSource(SourceInfo info, std::string sentence, std::string hint)
{
    SourceData data;
    data.info = std::move(info);
    data.info.state = SourceState::Unsupported;
    data.info.message = std::move(sentence);
    data.info.hint = std::move(hint);
    return data;
}

void addNote(RecordSink& sink, std::string text)
{
    LogEvent note;
    note.kind = EventKind::Note;
    note.text = std::move(text);
    sink.addEvent(std::move(note));
}

std::vector<SourceData> asList(SourceData data)
{
    std::vector<SourceData> list;
    list.push_back(std::move(data));
    return list;
}

}  // namespace firstbad::core
