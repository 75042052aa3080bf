// SPDX-License-Identifier: GPL-3.0-or-later
// The settings of all rules: one table, so that help, the settings form and the report show the
// same.
//
// Plain values; a Settings is copied into a judgement and never changes during it.
#pragma once

#include "core/base/result.h"

#include <span>
#include <string_view>
#include <vector>

namespace firstbad::core {

struct SettingInfo {
    std::string_view id;  ///< "spike.mad_factor"
    std::string_view text;  ///< one sentence
    double fallback = 0.0;
    double low = 0.0;
    double high = 0.0;
};

/// Every setting there is.
[[nodiscard]] std::span<const SettingInfo> settingTable() noexcept;

class Settings
{
public:
    Settings();  ///< all defaults
    [[nodiscard]] double get(std::string_view id) const noexcept;  ///< asserts that the id exists
    /// Unknown id or a value outside its limits is InvalidArgument.
    [[nodiscard]] Result<void> set(std::string_view id, double value);

private:
    std::vector<double> m_values;  // parallel to settingTable()
};

}  // namespace firstbad::core
