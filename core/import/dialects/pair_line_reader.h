// SPDX-License-Identifier: GPL-3.0-or-later
// PairLineReader: reads every dialect whose records are one line of named fields behind a head.
//
// Driven by a constant PairLineSpec; one reader a source, one thread; linear in the line.
#pragma once

#include "core/import/dialects/line_scanner.h"
#include "core/import/dialects/pair_recorder.h"

#include <memory>

namespace firstbad::core {

struct PairLineHead {
    RecordHead record;
    std::string_view fields;  ///< the part of the line that holds them
};

struct PairLineSpec {
    /// The head of a record; nullopt for any other line. It alone decides what is read.
    std::optional<PairLineHead> (*head)(std::string_view line) = nullptr;
    void (*cut)(std::string_view text, PairFields& fields) = nullptr;
    std::span<const NameRule> rules = {};
};

class PairLineReader : public LineReader
{
public:
    explicit PairLineReader(const PairLineSpec& spec)
        : m_spec(spec)
        , m_recorder(spec.rules)
    { }

    [[nodiscard]] LineVerdict read(const TextLine& line, RecordSink& sink) override;

protected:
    [[nodiscard]] PairRecorder& recorder() noexcept { return m_recorder; }

private:
    PairLineSpec m_spec;
    PairRecorder m_recorder;
};

}  // namespace firstbad::core
