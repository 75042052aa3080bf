// SPDX-License-Identifier: GPL-3.0-or-later
// What one source is and what was read from it; the contract between importers and everything
// after.
//
// Plain values; a SourceData is owned by whoever loads it. Columns are still in file order, not yet
// split into attempts: the splitting is one mechanism for all formats (attempts.h).
#pragma once

#include "core/series/column.h"
#include "core/series/event.h"
#include "core/series/quantity.h"
#include "core/series/run.h"

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace firstbad::core {

struct RankLedger;  // core/ledger/rank_ledger.h

/// A part of a source that gave no record. Nothing is left out without one of these.
struct SkippedPart {
    std::string
        code;  ///< slug: torn-tail, bad-data-crc, zero-fill, garbage, spliced-line, not-json, ...
    std::string reason;  ///< one sentence
    std::uint64_t offset = 0;  ///< bytes into the file as it lies on disk where known, else decoded
    std::uint64_t length = 0;  ///< bytes; 0 when unknown
    std::uint64_t line = 0;  ///< counted from 1; 0 when the source has no lines
    bool mayBeGrowing
        = false;  ///< a torn tail of a file that may still be written: a note, not damage
};

enum class SourceState : std::uint8_t {
    Read,  ///< at least part of it was understood
    Damaged,  ///< known format, nothing could be read
    Unsupported,  ///< known, but not readable here
    NotRecognised,  ///< no reader knows it
    Ignored,  ///< deliberately not read (licence texts, pictures, checkpoints handled elsewhere)
};

/// "read", "damaged", "unsupported", "not-recognised", "ignored": the JSON spelling.
[[nodiscard]] constexpr std::string_view toString(SourceState state) noexcept
{
    switch (state) {
    case SourceState::Read:
        return "read";
    case SourceState::Damaged:
        return "damaged";
    case SourceState::Unsupported:
        return "unsupported";
    case SourceState::NotRecognised:
        return "not-recognised";
    case SourceState::Ignored:
        break;
    }
    return "ignored";
}

struct SourceInfo {
    std::string path;  ///< as the user would name it; members of archives as "archive!member"
    std::string format;  ///< importer or dialect slug
    SourceState state = SourceState::Read;
    std::uint64_t bytes = 0;
    std::string sha256;  ///< hex; empty when hashing was not asked for
    std::uint64_t records = 0;
    std::vector<SkippedPart> skipped;  ///< at most kMaxSkippedParts, then one that counts the rest
    std::string
        encoding;  ///< "utf-8", "utf-16le", "gb18030", ...; with "+gzip", "+zstd" when compressed
    std::string message;  ///< the sentence for anything but Read
    std::string hint;
    std::uint32_t attempts = 0;
};

inline constexpr std::size_t kMaxSkippedParts = 1000;

/// Position in every column of a source at which a new launch may begin.
struct Break {
    std::string why;  ///< sentence fragment, "steps go back from 150 to 91"
    bool certain = false;  ///< the source says so (START record, banner, load line, new file)
    std::uint64_t record = 0;  ///< ordinal of the first record after it
    std::optional<double> time;
    std::optional<std::int64_t> step;  ///< first step after it
    std::vector<std::size_t>
        points;  ///< per column: points before it (shorter: columns made later)
    std::vector<std::size_t> missing;  ///< per column: missing steps before it
    std::size_t events = 0;  ///< events before it
};

struct RawColumn {
    std::string name;
    Quantity quantity = Quantity::Other;
    std::string unit;
    std::optional<RankId> rank;
    StepAxis axis = StepAxis::Step;
    bool isRunningMean = false;
    ColumnBuilder points;
};

/// Everything read from one source (one file, or one folder that is one source).
struct SourceData {
    SourceInfo info;
    std::string runId;  ///< identity the source itself gives (run id, folder of an event file); may
                        ///< be empty
    std::string stream;  ///< sources of one stream continue each other (rotated logs, event files
                         ///< of a folder)
    std::string attemptId;  ///< attempt that the source itself names (ledger header); may be empty
    double orderHint = 0.0;  ///< order within the stream: time in the name, rotation number
    std::vector<RawColumn> columns;
    std::vector<LogEvent> events;  ///< event.source is filled in by the loader
    std::vector<Break> breaks;
    LogTraits traits;
    std::shared_ptr<const RankLedger> ledger;  ///< of an evidence ledger: all that its lines tell
};

}  // namespace firstbad::core
