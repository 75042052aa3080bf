// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/judge/rules.h"

#include <algorithm>
#include <array>

namespace firstbad::core {
namespace {

constexpr std::array kFileRules{
    FileRule{"zero-scale", judgeZeroScales},
    FileRule{"fp8-scale-inverse", judgeFp8Inverse},
    FileRule{"fp8-amax-stale", judgeFp8Amax},
    FileRule{"negative-second-moment", judgeSecondMoments},
    FileRule{"moment-underflow", judgeMomentUnderflow},
    FileRule{"rows", judgeRows},
    FileRule{"cast-overflow", judgeCast},
    FileRule{"all-zero", judgeAllZero},
    FileRule{"zero-tail", judgeZeroTail},
    FileRule{"unreferenced-nonfinite", judgeUnreferenced},
    FileRule{"missing-keys", judgeMissingKeys},
    FileRule{"replica-mismatch", judgeReplicas},
    FileRule{"forensic", judgeForensic},
};

constexpr std::array kParentRules{
    ParentRule{"dtype-drift", compareTypes},
    ParentRule{"exact-zeros-from-nan", compareZeros},
    ParentRule{"unchanged", compareBytes},
    ParentRule{"reinitialised", compareDirection},
    ParentRule{"keys", compareKeys},
};

// Codes that are not here close the gate.
constexpr std::array kOpenWarnings{
    WarningInfo{"unchanged", false},
    WarningInfo{"duplicate", false},
    WarningInfo{"link-followed", false},
    WarningInfo{"unreferenced-nonfinite", false},
    WarningInfo{"extra-keys", false},
};

}  // namespace

std::span<const FileRule> fileRules() noexcept
{
    return kFileRules;
}

std::span<const ParentRule> parentRules() noexcept
{
    return kParentRules;
}

bool closesGate(std::string_view code) noexcept
{
    return std::none_of(kOpenWarnings.begin(), kOpenWarnings.end(),
        [code](const WarningInfo& info) { return info.code == code; });
}

}  // namespace firstbad::core
