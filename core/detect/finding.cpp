// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/detect/finding.h"

#include <array>

namespace firstbad::core {
namespace {

struct KindRow {
    IncidentKind kind;
    std::string_view name;
    IncidentClass verdict;
};

constexpr std::array<KindRow, 28> kKinds{{
    {IncidentKind::NonfiniteLoss, "nonfinite-loss", IncidentClass::Fault},
    {IncidentKind::NonfiniteGrad, "nonfinite-grad", IncidentClass::Fault},
    {IncidentKind::NormOverflow, "norm-overflow", IncidentClass::Fault},
    {IncidentKind::LossSpike, "loss-spike", IncidentClass::Fault},
    {IncidentKind::GradSpike, "grad-spike", IncidentClass::Unknown},
    {IncidentKind::ScaleProbe, "scale-probe", IncidentClass::Benign},
    {IncidentKind::ScaleCollapse, "scale-collapse", IncidentClass::Fault},
    {IncidentKind::SkipBurst, "skip-burst", IncidentClass::Fault},
    {IncidentKind::ScaleViolation, "scale-violation", IncidentClass::Unknown},
    {IncidentKind::SilentNonfinite, "silent-nonfinite", IncidentClass::Fault},
    {IncidentKind::StaleGradient, "stale-gradient", IncidentClass::Fault},
    {IncidentKind::PoisonedState, "poisoned-state", IncidentClass::Fault},
    {IncidentKind::EmptyLoss, "empty-loss", IncidentClass::Fault},
    {IncidentKind::InputFault, "input-fault", IncidentClass::Fault},
    {IncidentKind::RankOrigin, "rank-origin", IncidentClass::Fault},
    {IncidentKind::RankDisagreement, "rank-disagreement", IncidentClass::Fault},
    {IncidentKind::Hang, "hang", IncidentClass::Fault},
    {IncidentKind::ScheduleDrift, "schedule-drift", IncidentClass::Unknown},
    {IncidentKind::NoUpdate, "no-update", IncidentClass::Fault},
    {IncidentKind::Restart, "restart", IncidentClass::Benign},
    {IncidentKind::ThroughputDrop, "throughput-drop", IncidentClass::Unknown},
    {IncidentKind::BadResume, "bad-resume", IncidentClass::Fault},
    {IncidentKind::Transient, "transient", IncidentClass::Unknown},
    {IncidentKind::ScaleRunaway, "scale-runaway", IncidentClass::Fault},
    {IncidentKind::DataRepeat, "data-repeat", IncidentClass::Unknown},
    {IncidentKind::EmptyAttempt, "empty-attempt", IncidentClass::Benign},
    {IncidentKind::DisplayArtefact, "display-artefact", IncidentClass::Benign},
    {IncidentKind::None, "none", IncidentClass::Benign},
}};

}  // namespace

std::string_view toString(IncidentKind kind) noexcept
{
    return kKinds.at(static_cast<std::size_t>(kind)).name;
}

std::string_view toString(IncidentClass verdict) noexcept
{
    constexpr std::array<std::string_view, 3> kNames{"unknown", "fault", "benign"};
    return kNames.at(static_cast<std::size_t>(verdict));
}

IncidentClass defaultClass(IncidentKind kind) noexcept
{
    return kKinds.at(static_cast<std::size_t>(kind)).verdict;
}

}  // namespace firstbad::core
