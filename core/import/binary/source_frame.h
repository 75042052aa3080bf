// SPDX-License-Identifier: GPL-3.0-or-later
// What the readers of binary sources have in common: filling SourceInfo and saying what is wrong.
//
// Plain functions, any thread. Hashing reads the file once more.
#pragma once

#include "core/import/importer.h"
#include "core/import/record_sink.h"

#include <string>
#include <string_view>
#include <vector>

namespace firstbad::core {

/// Path, format, size and (if asked for) hash of a source that is one file.
[[nodiscard]] Result<SourceInfo> describeFile(const SourceRef& source, std::string_view format,
    const ImportOptions& options, JobContext& job);

/// A source of a known format of which nothing could be read; `code` is the slug of the damage.
[[nodiscard]] SourceData damagedSource(
    SourceInfo info, const char* code, std::string sentence, std::string hint);
/// A source that is whole but not for this reader.
[[nodiscard]] SourceData unsupportedSource(SourceInfo info, std::string sentence, std::string hint);

/// A remark about the source that is neither a point nor damage.
void addNote(RecordSink& sink, std::string text);

/// The file's name as it may stand in a sentence.
[[nodiscard]] std::string shownName(const SourceRef& source);

[[nodiscard]] std::vector<SourceData> asList(SourceData data);

}  // namespace firstbad::core
