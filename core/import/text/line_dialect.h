// SPDX-License-Identifier: GPL-3.0-or-later
// LineDialect: how one framework writes its log lines, and the table of all of them.
//
// Adding one: a file pair core/import/dialects/<name>_dialect.{h,cpp} and one line in
// dialect_table.cpp. A dialect sees clean lines only (text_source.h). A reader object lives for one
// source, on one thread.
#pragma once

#include "core/import/decode/text_source.h"
#include "core/import/record_sink.h"

#include <memory>
#include <span>
#include <string_view>

namespace firstbad::core {

enum class LineVerdict : std::uint8_t {
    NotMine,  ///< let the next dialect look
    Taken,  ///< read; nothing else needs to look
    Damaged,  ///< mine but broken: the reader has told the sink
};

class LineReader
{
public:
    virtual ~LineReader() = default;
    [[nodiscard]] virtual LineVerdict read(const TextLine& line, RecordSink& sink) = 0;
    /// After the last line: records that span lines are closed here.
    virtual void finish(RecordSink& sink) { static_cast<void>(sink); }
};

/// Primary dialects give series and compete for a file; companions (overflow notes, saves, loads,
/// tracebacks, launcher lines) are offered every line that the primary one did not take.
enum class DialectRole : std::uint8_t { Primary, Companion };

struct LineDialect {
    std::string_view
        id;  ///< slug, becomes SourceInfo::format: "megatron", "deepspeed", "nanogpt", ...
    std::string_view title;
    DialectRole role = DialectRole::Primary;
    /// How surely one clean line is of this dialect, 0..100. The engine adds up over the head of
    /// the file.
    int (*score)(std::string_view line) = nullptr;  // companions have none
    std::unique_ptr<LineReader> (*make)() = nullptr;
    bool yields = false;  ///< companions look at a line first: a guess must not take their lines
    bool onlyBars = false;  ///< is shown (and scores) only lines with TextLine::barOnly
};

[[nodiscard]] std::span<const LineDialect> dialectTable() noexcept;

}  // namespace firstbad::core
