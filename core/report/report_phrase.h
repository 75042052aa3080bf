// SPDX-License-Identifier: GPL-3.0-or-later
// The fixed words of a report, in every language that reports are written in.
//
// One table; pure; any thread. Kinds, lanes, ops and evidence stay in English in all languages.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>

namespace firstbad::core {

enum class ReportLanguage : std::uint8_t { English, Chinese };

/// "en", "zh"; nullopt for others.
[[nodiscard]] std::optional<ReportLanguage> reportLanguageFrom(std::string_view name) noexcept;
/// The value of the attribute lang.
[[nodiscard]] std::string_view toString(ReportLanguage language) noexcept;

enum class ReportPhrase : std::uint8_t {
    InShort,
    IncidentWord,
    RunWord,
    KindAndClass,
    Onset,
    Peak,
    End,
    TimeOfOnset,
    RestoreAtOrBefore,
    FiveQuestionsWord,
    WhereFirst,
    HowFar,
    RanksAlike,
    Reproduced,
    KeptOut,
    AroundTheOnset,
    FigureCaption,
    WhereItAppears,
    Fidelity,
    Checkpoints,
    WhatWasTried,
    Against,
    WhatIsUnknown,
    SettledBy,
    UnknownWord,
    Limits,
    Checklist,
    CheckBoundaries,
    CheckScaler,
    CheckRanks,
    CheckLinks,
    CheckReplay,
    CheckBisect,
    CheckCheckpoints,
    CheckDrills,
    Shown,
    Violated,
    NotShown,
    OtherIncidents,
    Notes,
    EvidenceWord,
    SourceWord,
    Redacted,
    SourcesUpTo,
    NotLookedAt,
    Finite,
    FirstBad,
    Nothing,
};

/// What the five questions ask, in their order.
inline constexpr std::array kQuestionPhrases{ReportPhrase::WhereFirst, ReportPhrase::HowFar,
    ReportPhrase::RanksAlike, ReportPhrase::Reproduced, ReportPhrase::KeptOut};

[[nodiscard]] std::string_view phrase(ReportPhrase which, ReportLanguage language) noexcept;

}  // namespace firstbad::core
