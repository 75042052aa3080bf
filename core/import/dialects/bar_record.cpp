// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/import/dialects/bar_record.h"

#include "core/base/text.h"

namespace firstbad::core {

void BarRecordReader::flush(RecordSink& sink)
{
    if (!m_step)
        return;
    m_line.text = m_text;
    m_line.raw = m_text;
    PairFields& fields = m_recorder.emptyFields();
    cutFields(m_text, ", ", '=', fields);
    // Damaged has been told to the sink, NotMine is a drawing without values
    static_cast<void>(m_recorder.record(m_line, {*m_step}, fields, sink));
    m_step.reset();
}

LineVerdict BarRecordReader::read(const TextLine& line, RecordSink& sink)
{
    const auto step = m_spec.step(line);
    if (!step)
        return LineVerdict::NotMine;
    if (m_step && *m_step != *step)
        flush(sink);
    m_step = step;
    std::string_view text = trimmed(line.text);
    if (!text.empty() && text.back() == ']')
        text.remove_suffix(1);
    m_text = text;
    m_line = line;
    return LineVerdict::Taken;
}

}  // namespace firstbad::core
