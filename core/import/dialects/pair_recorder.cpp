// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/import/dialects/pair_recorder.h"

#include "core/base/text.h"

#include <algorithm>

namespace firstbad::core {
namespace {

constexpr std::size_t kEventTextBytes = 400;

bool hasValue(const PairField& field)
{
    return readFieldValue(field.value).kind != FieldKind::Text;
}

}  // namespace

bool isShorterValue(const ValueShape& value, const ValueShape& known) noexcept
{
    if (value.trailing < known.trailing)
        return true;
    return !value.isWord && !known.isWord && value.decimals < known.decimals;
}

bool PairRecorder::isTorn(const RecordHead& head, const PairFields& fields) const
{
    const KnownShape& known = m_shapes.at(head.kind);
    if (fields.empty() || fields.size() < known.fields)
        return true;
    return fields.size() == known.fields
        && isShorterValue(shapeOfValue(fields.back().value), known.last);
}

LineVerdict PairRecorder::record(
    const TextLine& line, const RecordHead& head, const PairFields& fields, RecordSink& sink)
{
    if (line.unterminated && isTorn(head, fields)) {
        reportTornLine(line, sink);
        return LineVerdict::Damaged;
    }
    if (std::none_of(fields.begin(), fields.end(), hasValue))
        return LineVerdict::NotMine;
    sink.beginRecord(head.step, line.time, line.number, head.watchStep);
    m_columns.beginRecord();
    addFields(head, fields, sink);
    m_shapes.at(head.kind) = {fields.size(), shapeOfValue(fields.back().value)};
    m_hasRecords = true;
    return LineVerdict::Taken;
}

void PairRecorder::addFields(const RecordHead& head, const PairFields& fields, RecordSink& sink)
{
    for (const PairField& field : fields) {
        std::string_view name = field.name;
        if (!head.prefix.empty() && name.substr(0, head.prefix.size()) != head.prefix) {
            m_name.assign(head.prefix).append(name);
            name = m_name;
        }
        addValue(name, readFieldValue(field.value), sink);
        if (field.mean.empty())
            continue;
        const FieldValue mean = readFieldValue(field.mean);
        if (mean.kind != FieldKind::Number)
            continue;
        m_name.assign(name).append(" (running mean)");
        const ColumnHandle column = m_columns.find(m_name, sink);
        sink.raw(column).quantity = Quantity::Other;
        sink.raw(column).isRunningMean = true;
        sink.add(column, mean.number);
    }
}

void PairRecorder::addValue(std::string_view name, const FieldValue& value, RecordSink& sink)
{
    if (value.kind == FieldKind::Number)
        sink.add(m_columns.find(name, sink), value.number);
    else if (value.kind == FieldKind::Missing)
        sink.addMissing(m_columns.find(name, sink));
}

void reportTornLine(const TextLine& line, RecordSink& sink)
{
    SkippedPart part;
    part.code = line.unterminated ? "torn-tail" : "torn-line";
    part.reason = line.unterminated
        ? "The last line has no line end and is cut off; its numbers may be cut too."
        : "The line is cut off; its numbers may be cut too.";
    part.offset = line.offset;
    part.length = line.raw.size();
    part.line = line.number;
    part.mayBeGrowing = line.unterminated;
    sink.addSkipped(std::move(part));
}

std::string eventText(std::string_view text)
{
    std::string_view kept = trimmed(text).substr(0, kEventTextBytes);
    // do not end within a UTF-8 sequence
    while (
        !kept.empty() && kept.size() == kEventTextBytes && !isValidUtf8(kept) && isValidUtf8(text))
        kept.remove_suffix(1);
    return toValidUtf8(kept);
}

LogEvent makeEvent(EventKind kind, const TextLine& line, std::optional<std::int64_t> step)
{
    LogEvent event;
    event.kind = kind;
    event.step = step;
    event.rank = line.rank;
    if (isFinite(line.time))
        event.time = line.time;
    event.text = eventText(line.text);
    event.line = line.number;
    event.offset = line.offset;
    return event;
}

}  // namespace firstbad::core
