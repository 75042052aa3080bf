// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/import/dialects/generic_dialect.h"
#include "core/import/text/line_dialect.h"

#include <array>

namespace firstbad::core {

std::span<const LineDialect> dialectTable() noexcept
{
    // Earlier lines win ties. Companions come last.
    static constexpr std::array kTable{
        LineDialect{"text", "lines with a step and other numbers", DialectRole::Primary,
            &scoreGenericLine, &makeGenericReader},
    };
    return kTable;
}

}  // namespace firstbad::core
