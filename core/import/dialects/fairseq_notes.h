// SPDX-License-Identifier: GPL-3.0-or-later
// The lines of a fairseq log that are no progress records: overflow notes, checkpoints, ends.
//
// One per reader, one thread.
#pragma once

#include "core/import/text/line_dialect.h"

namespace firstbad::core {

class FairseqNotes
{
public:
    [[nodiscard]] LineVerdict read(const TextLine& line, RecordSink& sink);

private:
    LineVerdict overflow(const TextLine& line, RecordSink& sink) const;
    LineVerdict checkpoint(const TextLine& line, RecordSink& sink) const;
};

/// Whether the line is one that only fairseq writes (for scores).
[[nodiscard]] bool isFairseqNote(std::string_view line);

}  // namespace firstbad::core
