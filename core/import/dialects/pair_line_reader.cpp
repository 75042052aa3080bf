// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/import/dialects/pair_line_reader.h"

namespace firstbad::core {

LineVerdict PairLineReader::read(const TextLine& line, RecordSink& sink)
{
    const auto head = m_spec.head(line.text);
    if (!head)
        return LineVerdict::NotMine;
    PairFields& fields = m_recorder.emptyFields();
    m_spec.cut(head->fields, fields);
    return m_recorder.record(line, head->record, fields, sink);
}

}  // namespace firstbad::core
