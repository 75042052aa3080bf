// SPDX-License-Identifier: GPL-3.0-or-later
// TextSource: any text file as a stream of clean lines, whatever it is wrapped in.
//
// Undoes compression (gzip, zstd), encodings (UTF-8, UTF-16, GBK and others), notebooks, ANSI
// escapes, carriage returns (progress bars), CRLF, quoting and prefixes of ranks, clocks and
// loggers, and splits lines of interleaved ranks. Reads by position in blocks of 1 MiB: memory is
// two blocks and the longest line (at most 16 MiB are kept of one). One thread. Everything left out
// is reported to the sink.
#pragma once

#include "core/base/job_context.h"
#include "core/base/result.h"
#include "core/import/record_sink.h"

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace firstbad::core {

/// One logical line. The views are valid until the next call of next().
struct TextLine {
    std::string_view text;  ///< without prefixes, ANSI codes, line end
    std::string_view raw;  ///< as it stood in the decoded source, for quoting as evidence
    std::uint64_t number = 0;  ///< physical line, counted from 1
    std::uint64_t offset = 0;  ///< bytes into the decoded source
    std::optional<std::int32_t> rank;  ///< from a rank prefix
    double time = kNoTime;  ///< from a time prefix, seconds since 1970
    std::optional<std::int64_t>
        barStep;  ///< last step of a progress bar seen on this line or before it
    std::optional<std::int64_t> barTotal;
    bool barOnly
        = false;  ///< text is a progress bar without its bar part ("loss=1.2" of a postfix)
    bool isSpliced = false;  ///< the line of another rank was cut off behind it: may be torn
    bool unterminated = false;  ///< last line of the source without a line end: may be torn
};

class TextSource
{
public:
    /// Fails when the file cannot be opened or is no text. `stripPrefixes` false: text equals raw.
    [[nodiscard]] static Result<std::unique_ptr<TextSource>> open(
        const std::filesystem::path& path, bool stripPrefixes = true);
    /// The same over bytes in memory: for tests and for texts inside other files.
    [[nodiscard]] static Result<std::unique_ptr<TextSource>> fromMemory(
        std::string bytes, bool stripPrefixes = true);
    virtual ~TextSource() = default;

    /// The next line; nullopt at the end. Unreadable parts become SkippedParts of `sink`.
    [[nodiscard]] virtual Result<std::optional<TextLine>> next(RecordSink& sink, JobContext& job)
        = 0;

    /// "utf-8", "utf-16le+zstd", ...: for SourceInfo::encoding.
    [[nodiscard]] virtual std::string_view encoding() const noexcept = 0;
    [[nodiscard]] virtual std::uint64_t bytesOnDisk() const noexcept = 0;
};

}  // namespace firstbad::core
