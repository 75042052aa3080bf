// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ledger/ledger_statement.h"

#include <fmt/format.h>

namespace firstbad::core {

std::string rankCount(std::size_t count)
{
    return fmt::format("{} rank{}", count, count == 1 ? "" : "s");
}

}  // namespace firstbad::core
