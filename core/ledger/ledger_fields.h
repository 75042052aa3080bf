// SPDX-License-Identifier: GPL-3.0-or-later
// LedgerFields: one ledger line cut into its members, without building values.
//
// Strict JSON with the literals NaN and Infinity. One object a thread; views into the line; no
// allocation in a loop. Linear in the line.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace firstbad::core {

/// The members of step lines that are read by name, and those that every line has.
enum class LedgerName : std::uint8_t {
    Other,
    Kind,
    Prev,
    Step,
    MicroStep,
    SampleIds,
    Loss,
    LossScale,
    LossScaleAfter,
    LearningRate,
    TotalGradNorm,
    SkippedStep,
    LocalBad,
    GlobalBad,
    FirstBadStage,
    OptimizerSteps,
    ScheduleSteps,
    ConsumedSamples,
    ConsumedTokens,
    Accum,
    Optimizers,
};

struct LedgerField {
    std::string_view name;
    std::string_view raw;  ///< as it stands in the line, a text with its quotes
    LedgerName known = LedgerName::Other;
};

class LedgerFields
{
public:
    /// False when the line is no complete JSON object.
    [[nodiscard]] bool split(std::string_view line);
    [[nodiscard]] const std::vector<LedgerField>& all() const noexcept { return m_fields; }
    [[nodiscard]] const LedgerField* find(std::string_view name) const noexcept;
    [[nodiscard]] const LedgerField* find(LedgerName name) const noexcept;

    [[nodiscard]] std::string text(std::string_view name) const;
    [[nodiscard]] std::optional<std::int64_t> integer(std::string_view name) const;
    [[nodiscard]] std::optional<double> number(std::string_view name) const;

private:
    class Cursor;

    bool takeName(Cursor& cursor, LedgerField& field);
    LedgerName nameAt(std::size_t position, std::string_view name);

    std::vector<LedgerField> m_fields;
    /// What stood at a position last time: writers keep the order of their members.
    std::vector<std::pair<std::string, LedgerName>> m_last;
};

/// The content of a raw text; a value that is no text as it stands; empty for null.
[[nodiscard]] std::string ledgerText(std::string_view raw);
/// A number, a text that spells one ("NaN"), or true and false as 1 and 0; nullopt for anything
/// else, null too.
[[nodiscard]] std::optional<double> ledgerNumber(std::string_view raw) noexcept;

}  // namespace firstbad::core
