// SPDX-License-Identifier: GPL-3.0-or-later
// PairRecorder: writes the named fields of one log line as one record, and refuses torn lines.
//
// One per reader, one thread. Judges a last line without a line end by the shape of the records of
// its kind before it: a field less or a shorter last number is a torn line, never a value.
#pragma once

#include "core/import/dialects/column_book.h"
#include "core/import/dialects/pair_fields.h"
#include "core/import/text/line_dialect.h"

#include <array>
#include <string>

namespace firstbad::core {

struct RecordHead {
    std::int64_t step = 0;
    std::size_t kind = 0;  ///< which of the dialect's records this is, below kRecordKinds
    bool watchStep = true;
    std::string_view prefix = {};  ///< put before names that lack it ("valid_")
};

inline constexpr std::size_t kRecordKinds = 6;

class PairRecorder
{
public:
    explicit PairRecorder(std::span<const NameRule> rules = {})
        : m_columns(rules)
    { }

    /// NotMine when no field has a value; Damaged when the line is torn (the sink is told).
    [[nodiscard]] LineVerdict record(
        const TextLine& line, const RecordHead& head, const PairFields& fields, RecordSink& sink);

    /// One value of the record that has begun (records of several lines).
    void addValue(std::string_view name, const FieldValue& value, RecordSink& sink);

    /// The fields buffer, emptied: saves an allocation a line.
    [[nodiscard]] PairFields& emptyFields()
    {
        m_fields.clear();
        return m_fields;
    }
    [[nodiscard]] ColumnBook& columns() noexcept { return m_columns; }
    [[nodiscard]] bool hasRecords() const noexcept { return m_hasRecords; }

private:
    struct KnownShape {
        std::size_t fields = 0;
        ValueShape last;
    };

    [[nodiscard]] bool isTorn(const RecordHead& head, const PairFields& fields) const;
    void addFields(const RecordHead& head, const PairFields& fields, RecordSink& sink);

    ColumnBook m_columns;
    PairFields m_fields;
    std::string m_name;
    std::array<KnownShape, kRecordKinds> m_shapes{};
    bool m_hasRecords = false;
};

/// Tells the sink of a line that was cut off: a note at the end of a file, damage elsewhere.
void reportTornLine(const TextLine& line, RecordSink& sink);

/// True when the number at the end of a cut line is shorter than `known`, the one before it.
[[nodiscard]] bool isShorterValue(const ValueShape& value, const ValueShape& known) noexcept;

/// The source's words, shortened to what an event keeps.
[[nodiscard]] std::string eventText(std::string_view text);

/// An event of `line` at `step`, with its time, rank, place and words.
[[nodiscard]] LogEvent makeEvent(
    EventKind kind, const TextLine& line, std::optional<std::int64_t> step = {});

}  // namespace firstbad::core
