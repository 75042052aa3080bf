// SPDX-License-Identifier: GPL-3.0-or-later
// RankLedgerReader: the lines of one ledger (version 1) verified along their chain of hashes and
// put into a RankLedger.
//
// The only judge of what is damage in a ledger. One object for one file, one thread; O(line).
#pragma once

#include "core/base/hash.h"
#include "core/ledger/ledger_fields.h"
#include "core/ledger/rank_ledger.h"

#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace firstbad::core {

struct LedgerLine {
    std::string_view bytes;  ///< as stored, without the newline
    std::uint64_t number = 0;
    std::uint64_t offset = 0;
    bool terminated = true;
};

enum class LedgerLineState : std::uint8_t {
    Read,
    Damaged,  ///< holds nothing to read
    Contradiction,  ///< a bad line that claims to come before the frozen first one
};

class RankLedgerReader
{
public:
    LedgerLineState add(const LedgerLine& line);
    /// Members of the line that was added last.
    [[nodiscard]] const LedgerFields& fields() const noexcept { return m_fields; }
    [[nodiscard]] RankLedger take();

private:
    void checkChain(const LedgerLine& line);
    void dispatch(const LedgerLine& line);
    void takeHeader(const LedgerLine& line);
    void takeStep(const LedgerLine& line);
    void takeMember(const LedgerField& field);
    void takeSamples(std::string_view raw);
    void takeOptimizers(std::string_view raw);
    void markRow();
    void closeRow();
    void takeBad(const LedgerLine& line);
    void takeDecision(const LedgerLine& line);
    void takeWait();
    void damaged(const LedgerLine& line, const char* code, std::string reason, bool growing);

    struct Row {  // the step line read last; its decision may still come
        bool open = false;
        std::int64_t step = 0;
        std::optional<double> action;
        bool isMarked = false;
        std::string_view sampleIds;
        std::string stage;
    };

    RankLedger m_ledger;
    LedgerFields m_fields;
    Sha256 m_hash;
    std::string m_previousHash;
    bool m_hasHeader = false;
    std::uint64_t m_breaks = 0;
    LedgerLineState m_state = LedgerLineState::Read;
    std::optional<std::pair<std::int64_t, std::int64_t>> m_frozen;  // step, micro-step of first bad
    Row m_row;
    std::array<bool, kLedgerColumns> m_seen{};  // columns that the open row has set
    bool m_hasSamples = false;
    std::vector<LedgerSamples> m_tail;  // ring of the newest rows' ids
    std::size_t m_nextTail = 0;
};

}  // namespace firstbad::core
