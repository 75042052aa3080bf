// SPDX-License-Identifier: GPL-3.0-or-later
// MarkedRecordReader: records of a marker line with the step and then one named value a line.
//
// One reader a source, one thread; linear in the line.
#pragma once

#include "core/import/dialects/pair_recorder.h"

#include <map>

namespace firstbad::core {

struct MarkedRecordSpec {
    /// The step of a marker line; nullopt for any other line.
    std::optional<std::int64_t> (*marker)(std::string_view line) = nullptr;
    /// The field of a line below a marker; nullopt ends the record.
    std::optional<PairField> (*field)(std::string_view line) = nullptr;
    std::span<const NameRule> rules = {};
};

class MarkedRecordReader : public LineReader
{
public:
    explicit MarkedRecordReader(const MarkedRecordSpec& spec)
        : m_spec(spec)
        , m_recorder(spec.rules)
    { }

    [[nodiscard]] LineVerdict read(const TextLine& line, RecordSink& sink) override;

private:
    [[nodiscard]] bool isTorn(const PairField& field) const;
    void begin(RecordSink& sink);

    MarkedRecordSpec m_spec;
    PairRecorder m_recorder;
    std::map<std::string, ValueShape, std::less<>> m_shapes;  // of the last value of each name
    std::optional<std::int64_t> m_step;  // of the open record
    bool m_begun = false;
    double m_time = kNoTime;
    std::uint64_t m_line = 0;
};

}  // namespace firstbad::core
