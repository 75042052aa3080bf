// SPDX-License-Identifier: GPL-3.0-or-later
// Importer: one reader of one kind of source, and the table of all of them.
//
// Adding one: a file pair <name>_importer.{h,cpp} and one line in importer_table.cpp. Help,
// --format, the sniffing order and the contract test derive from the table. Importers are
// stateless; any thread.
#pragma once

#include "core/base/job_context.h"
#include "core/base/result.h"
#include "core/import/source.h"

#include <filesystem>
#include <span>
#include <string>
#include <string_view>

namespace firstbad::core {

/// What sniffing may look at: never the whole file.
struct SourceHead {
    std::filesystem::path path;
    bool isFolder = false;
    std::uint64_t bytes = 0;
    std::string_view head;  ///< first 64 KiB after decompression, before decoding to UTF-8
    std::string_view text;  ///< the same as UTF-8 text; empty when it is not text
};

struct ImportOptions {
    bool hashSources = false;  ///< fill SourceInfo::sha256
    std::string format;  ///< importer id forced by the user; empty: sniff
    /// User mapping "theirs=canonical": column names and the step column of the generic readers.
    std::vector<std::pair<std::string, std::string>> nameMap;
};

/// One thing to read: a file, or a folder that an importer takes as a whole.
struct SourceRef {
    std::filesystem::path path;
    std::string shownPath;  ///< as the user would name it
    std::string runHint;  ///< folder below the path the user named; separates runs
};

struct Importer {
    std::string_view id;  ///< slug, as in JSON "format" unless a dialect refines it
    std::string_view title;  ///< one line for help
    bool takesFolder = false;
    /// 0: not mine; 100: certain. The highest wins, earlier table lines win ties.
    int (*sniff)(const SourceHead& head) = nullptr;
    /// One file may hold several sources (an MLflow store): each becomes its own SourceData.
    Result<std::vector<SourceData>> (*read)(
        const SourceRef& source, const ImportOptions& options, JobContext& job)
        = nullptr;
};

[[nodiscard]] std::span<const Importer> importerTable() noexcept;

/// The importer that claims `head` most strongly; nullptr when none does.
[[nodiscard]] const Importer* sniffImporter(const SourceHead& head);

}  // namespace firstbad::core
