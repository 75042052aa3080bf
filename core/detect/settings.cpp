// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/detect/settings.h"

#include "core/base/assert.h"
#include "core/base/text.h"
#include "core/base/value_kind.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>

namespace firstbad::core {
namespace {

constexpr std::array kSettings{
    SettingInfo{
        "spike.window", "Finite values before a point that make its recent level.", 48, 8, 4096},
    SettingInfo{"spike.mad_factor",
        "A value is out of its level above the median plus this many robust deviations.", 6, 1,
        100},
    SettingInfo{"spike.min_share",
        "A value is never out of its level by less than this share of the median.", 0.15, 0, 10},
    SettingInfo{"spike.ratio_factor",
        "The ratio to the median has to be unusual by this many robust deviations.", 4, 0, 1000},
    SettingInfo{"spike.single_mad_factor",
        "A single point has to be this many robust deviations out, because small batches are "
        "noisy.",
        9, 1, 1000},
    SettingInfo{"spike.single_share",
        "A single point has to be out of its level by this share of the median.", 0.25, 0, 10},
    SettingInfo{"spike.weak_mad_factor",
        "A single point this many robust deviations out is counted, though it is not told alone.",
        4.5, 1, 1000},
    SettingInfo{"spike.weak_share",
        "A single loss is counted from this share of the median above it on.", 0.08, 0, 10},
    SettingInfo{"spike.grad_share",
        "A gradient norm has to be out of its level by this share of the median.", 1.0, 0, 100},
    SettingInfo{
        "spike.min_history", "Finite values needed before the usual limits hold.", 16, 3, 1000},
    SettingInfo{"spike.short_share",
        "With less history a value has to rise by this share of the median.", 0.6, 0, 10},
    SettingInfo{"spike.weak_ratio",
        "A value or two up to this many times the level, and back at once, is not called a fault.",
        1.8, 1, 100},
    SettingInfo{"spike.range_share",
        "A single loss has to rise by this share of what the loss has fallen since the start.",
        0.03, 0, 1},
    SettingInfo{"spike.settle_points",
        "Points in a row back in the level that end a spike as recovered.", 5, 1, 1000},
    SettingInfo{"spike.new_level_points",
        "Points out of the level after which the new level is taken for granted.", 1000, 10, 1e6},
    SettingInfo{"scale.collapse_skips",
        "Skipped updates close together from which a search for the scale is no probe any more.", 5,
        2, 1000},
    SettingInfo{"scale.cluster_gap",
        "Skips with at most this many good steps between them belong together.", 5, 0, 1000},
    SettingInfo{"scale.startup_steps",
        "A search for the scale that begins within this many steps of a start is normal.", 10, 0,
        10000},
    SettingInfo{"scale.hold_steps", "Good steps after skips that count as a hold.", 20, 1, 100000},
    SettingInfo{
        "scale.runaway_log2", "Power of two above which a scale has run away.", 60, 20, 1000},
    SettingInfo{"skip.share_window", "Steps over which the share of skips is taken.", 50, 5, 10000},
    SettingInfo{"skip.share", "Share of skipped updates that makes a burst.", 0.4, 0.01, 1},
    SettingInfo{"nonfinite.persistent",
        "Non-finite values in a row that no scaler can be blamed for.", 5, 2, 1000},
    SettingInfo{"resume.jump_share",
        "Rise of the loss at a resume, as a share of the level before.", 0.5, 0.05, 10},
    SettingInfo{"throughput.factor", "Slow-down that counts as a drop.", 1.6, 1.05, 100},
    SettingInfo{"throughput.points", "Slow points in a row that make a drop.", 10, 2, 10000},
    SettingInfo{
        "update.zero_share", "Share of updates without gradient that is a fault.", 0.25, 0.01, 1},
    SettingInfo{"restore.margin_steps", "Smallest distance of a safe restore from the onset.", 10,
        1, 100000},
};

std::size_t indexOf(std::string_view id) noexcept
{
    const auto found = std::find_if(kSettings.begin(), kSettings.end(),
        [&](const SettingInfo& setting) { return setting.id == id; });
    return static_cast<std::size_t>(found - kSettings.begin());
}

}  // namespace

std::span<const SettingInfo> settingTable() noexcept
{
    return kSettings;
}

Settings::Settings()
{
    m_values.reserve(kSettings.size());
    for (const SettingInfo& setting : kSettings)
        m_values.push_back(setting.fallback);
}

double Settings::get(std::string_view id) const noexcept
{
    const std::size_t index = indexOf(id);
    FB_ASSERT(index < m_values.size());
    return m_values[index];
}

Result<void> Settings::set(std::string_view id, double value)
{
    const std::size_t index = indexOf(id);
    if (index >= m_values.size()) {
        return fail(ErrorCode::InvalidArgument, fmt::format("There is no setting '{}'.", id),
            "`firstbad help incidents` lists the settings.");
    }
    const SettingInfo& setting = kSettings[index];
    if (!isFinite(value) || value < setting.low || value > setting.high) {
        return fail(ErrorCode::InvalidArgument,
            fmt::format("{} must lie between {} and {}, not {}.", id, shortNumber(setting.low),
                shortNumber(setting.high), shortNumber(value)));
    }
    m_values[index] = value;
    return {};
}

}  // namespace firstbad::core
