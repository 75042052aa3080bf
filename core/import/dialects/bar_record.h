// SPDX-License-Identifier: GPL-3.0-or-later
// BarRecordReader: values that a progress bar shows behind itself, one record a step.
//
// A bar is drawn again and again: of the drawings with one step the last one counts, the first may
// still show the values of the step before. One reader a source, one thread.
#pragma once

#include "core/import/dialects/pair_recorder.h"

namespace firstbad::core {

struct BarRecordSpec {
    /// The step that a drawing belongs to; nullopt when the line is none of this dialect.
    std::optional<std::int64_t> (*step)(const TextLine& line) = nullptr;
    std::span<const NameRule> rules = {};
};

class BarRecordReader : public LineReader
{
public:
    explicit BarRecordReader(const BarRecordSpec& spec)
        : m_spec(spec)
        , m_recorder(spec.rules)
    { }

    [[nodiscard]] LineVerdict read(const TextLine& line, RecordSink& sink) override;
    void finish(RecordSink& sink) override { flush(sink); }

protected:
    void flush(RecordSink& sink);

private:
    BarRecordSpec m_spec;
    PairRecorder m_recorder;
    std::optional<std::int64_t> m_step;  // of the drawing held back
    std::string m_text;
    TextLine m_line;
};

}  // namespace firstbad::core
