// SPDX-License-Identifier: GPL-3.0-or-later
// CsvRow: splits one line of a table into its cells, quotes undone.
//
// Reuses its buffers; one thread. Linear in the line.
#pragma once

#include <cstdint>
#include <deque>
#include <string>
#include <string_view>
#include <vector>

namespace firstbad::core {

class CsvRow
{
public:
    /// Splits `line`. False when a quoted cell is still open at the end: the row goes on in the
    /// next line. The cells then hold what there is so far.
    bool split(std::string_view line, char delimiter);

    /// Valid until the next split(), as long as the line lives.
    [[nodiscard]] const std::vector<std::string_view>& cells() const noexcept { return m_cells; }

private:
    bool splitQuoted(std::string_view line, char delimiter);
    bool quotedCell(std::string_view line, std::size_t& at, char delimiter);

    std::vector<std::string_view> m_cells;
    std::deque<std::string> m_unquoted;  // cells that had to be rewritten; addresses are stable
};

}  // namespace firstbad::core
