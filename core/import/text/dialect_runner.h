// SPDX-License-Identifier: GPL-3.0-or-later
// DialectRunner: gives each clean line to the primary dialect, then to the companions.
//
// Keeps one reader a rank when ranks print their own numbers, drops what other ranks repeat, and
// holds back a last line that may be torn. One source, one thread; the hot path does not allocate.
#pragma once

#include "core/import/text/dialect_choice.h"
#include "core/import/text/line_dialect.h"
#include "core/import/text/torn_line.h"

#include <array>
#include <map>
#include <memory>
#include <vector>

namespace firstbad::core {

class DialectRunner
{
public:
    DialectRunner(const DialectScores& scores, RecordSink& sink);

    void read(const TextLine& line);
    void finish();

private:
    [[nodiscard]] LineReader* readerFor(std::optional<std::int32_t> rank);
    [[nodiscard]] bool repeatsOtherRank(const TextLine& line);
    [[nodiscard]] bool isTorn(const TextLine& line);
    bool offerToCompanions(const TextLine& line);

    struct Said {
        std::size_t hash = 0;
        std::int32_t rank = -1;
    };

    const LineDialect* m_primary;
    RecordSink& m_sink;
    bool m_rankSeries;
    bool m_severalRanks;
    std::map<std::optional<std::int32_t>, std::unique_ptr<LineReader>> m_readers;
    std::vector<std::unique_ptr<LineReader>> m_companions;
    RecentLines m_recent;
    std::array<Said, 256> m_said{};  // ring of the last records, to know them again
    std::size_t m_nextSaid = 0;
};

}  // namespace firstbad::core
