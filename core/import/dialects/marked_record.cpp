// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/import/dialects/marked_record.h"

namespace firstbad::core {

bool MarkedRecordReader::isTorn(const PairField& field) const
{
    const auto known = m_shapes.find(field.name);
    return known == m_shapes.end() || isShorterValue(shapeOfValue(field.value), known->second);
}

// A marker without a value below it is no record.
void MarkedRecordReader::begin(RecordSink& sink)
{
    if (m_begun)
        return;
    sink.beginRecord(*m_step, m_time, m_line);
    m_recorder.columns().beginRecord();
    m_begun = true;
}

LineVerdict MarkedRecordReader::read(const TextLine& line, RecordSink& sink)
{
    if (const auto step = m_spec.marker(line.text)) {
        m_step = step;
        m_begun = false;
        m_time = line.time;
        m_line = line.number;
        return LineVerdict::Taken;
    }
    const auto field = m_step ? m_spec.field(line.text) : std::nullopt;
    if (!field) {
        if (m_step && line.unterminated) {
            reportTornLine(line, sink);
            return LineVerdict::Damaged;
        }
        m_step.reset();
        return LineVerdict::NotMine;
    }
    if (line.unterminated && isTorn(*field)) {
        reportTornLine(line, sink);
        return LineVerdict::Damaged;
    }
    const FieldValue value = readFieldValue(field->value);
    if (value.kind == FieldKind::Text)
        return LineVerdict::Taken;
    begin(sink);
    m_recorder.addValue(field->name, value, sink);
    m_shapes.insert_or_assign(std::string(field->name), shapeOfValue(field->value));
    return LineVerdict::Taken;
}

}  // namespace firstbad::core
