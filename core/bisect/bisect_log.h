// SPDX-License-Identifier: GPL-3.0-or-later
// BisectLog: a stepped search as the rows of a case tell it, and as text that can be replayed.
//
// Pure; one thread. A search is built anew from its rows every time: nothing else is state.
#pragma once

#include "core/base/result.h"
#include "core/bisect/bisect_search.h"
#include "core/protocol/replay_result.h"
#include "core/store/case_records.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace firstbad::core {

/// Every row of stepped searches in a case goes under this name; one search is open at a time.
inline constexpr std::string_view kBisectName = "stepped";

/// What a probe saw, beside its verdict.
struct ProbeEvidence {
    std::string text;
    std::optional<ReplayPlace> place;
};

/// The search that is open, or nullopt.
class OpenBisect
{
public:
    /// Builds it from the rows of the case. Malformed when a row cannot be understood.
    [[nodiscard]] static Result<std::optional<OpenBisect>> from(
        const std::vector<BisectEntry>& rows);

    [[nodiscard]] const BisectSearch& search() const noexcept { return m_search; }
    /// Rows of this search, its start first.
    [[nodiscard]] const std::vector<BisectEntry>& rows() const noexcept { return m_rows; }
    /// The element, where a probe of the op that was found saw it; else block and op only.
    [[nodiscard]] std::optional<ReplayPlace> firstBad() const;

private:
    explicit OpenBisect(BisectScope scope)
        : m_search(std::move(scope))
    { }

    BisectSearch m_search;
    std::vector<BisectEntry> m_rows;
};

/// Rows to append. `n` follows the rows that are there.
[[nodiscard]] BisectEntry startRow(const BisectScope& scope, const std::vector<BisectEntry>& rows);
[[nodiscard]] BisectEntry verdictRow(const std::string& probe, ProbeVerdict verdict,
    std::string_view by, const ProbeEvidence& evidence, const std::vector<BisectEntry>& rows);
[[nodiscard]] BisectEntry resetRow(const std::vector<BisectEntry>& rows);

/// The sentence in a row's evidence.
[[nodiscard]] std::string evidenceText(const BisectEntry& row);

/// "start {...}" and "bad blocks.3 person # evidence", one line a row.
[[nodiscard]] std::string bisectLogText(const std::vector<BisectEntry>& rows);
/// Reads such a text back into rows. Malformed names the line.
[[nodiscard]] Result<std::vector<BisectEntry>> parseBisectLog(
    std::string_view text, const std::string& shownPath);

}  // namespace firstbad::core
