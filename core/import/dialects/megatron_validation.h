// SPDX-License-Identifier: GPL-3.0-or-later
// Megatron's evaluation lines: " validation loss at iteration 50 | lm loss value: 2.7E+00 | ...".
//
// One a reader, one thread; linear in the line.
#pragma once

#include "core/import/text/fields.h"
#include "core/import/text/line_dialect.h"

namespace firstbad::core {

[[nodiscard]] bool isMegatronValidation(std::string_view line) noexcept;

class MegatronValidation
{
public:
    /// Writes "<name> (validation)" series; NotMine for any other line.
    [[nodiscard]] LineVerdict read(const TextLine& line, RecordSink& sink);

private:
    FieldSplitter m_splitter;
};

}  // namespace firstbad::core
