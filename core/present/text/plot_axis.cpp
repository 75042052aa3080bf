// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/present/text/plot_axis.h"

#include "core/base/text.h"

#include <algorithm>
#include <cmath>

namespace firstbad::core {
namespace {

double toUnits(PlotScale scale, double value) noexcept
{
    switch (scale) {
    case PlotScale::Log2:
        return std::log2(value);
    case PlotScale::Log10:
        return std::log10(value);
    case PlotScale::Linear:
        break;
    }
    return value;
}

double fromUnits(PlotScale scale, double units) noexcept
{
    switch (scale) {
    case PlotScale::Log2:
        return std::exp2(units);
    case PlotScale::Log10:
        return std::pow(10.0, units);
    case PlotScale::Linear:
        break;
    }
    return units;
}

/// 1, 2 or 5 times a power of ten: about a fifth of `extent`.
double roundStep(double extent) noexcept
{
    const double power = std::pow(10.0, std::floor(std::log10(extent / 4.0)));
    for (const double factor : {1.0, 2.0, 5.0}) {
        if (extent / (factor * power) <= 8.0)
            return factor * power;
    }
    return 10.0 * power;
}

/// 1, 2 or 5 times a power of ten at or beyond `value`.
double roundLog(double value, bool up) noexcept
{
    const double power = std::pow(10.0, std::floor(std::log10(value)));
    constexpr double kSlack = 1e-9;
    double best = up ? 10.0 * power : power;
    for (const double factor : {1.0, 2.0, 5.0}) {
        const double candidate = factor * power;
        if (up && candidate >= value * (1.0 - kSlack))
            return candidate;
        if (!up && candidate <= value * (1.0 + kSlack))
            best = candidate;
    }
    return best;
}

}  // namespace

PlotAxis::PlotAxis(PlotScale scale, ValueRange range)
    : m_scale(range.low > 0.0 ? scale : PlotScale::Linear)
    , m_low(range.low)
    , m_high(range.high)
{
    if (m_scale == PlotScale::Linear) {
        if (!(m_low < m_high)) {
            const double half = m_low == 0.0 ? 1.0 : std::abs(m_low) / 2.0;
            m_low -= half;
            m_high += half;
        }
        const double step = roundStep(m_high - m_low);
        m_low = std::floor(m_low / step) * step;
        m_high = std::ceil(m_high / step) * step;
        return;
    }
    if (m_scale == PlotScale::Log10) {
        m_low = roundLog(m_low, false);
        m_high = roundLog(m_high, true);
    }
    m_low = toUnits(m_scale, m_low);
    m_high = toUnits(m_scale, m_high);
    if (m_scale == PlotScale::Log2) {
        m_low = std::floor(m_low);
        m_high = std::ceil(m_high);
    }
    if (!(m_low < m_high)) {
        m_low -= 1.0;
        m_high += 1.0;
    }
}

std::optional<double> PlotAxis::position(double value) const noexcept
{
    if (m_scale != PlotScale::Linear && !(value > 0.0))
        return std::nullopt;
    const double units = toUnits(m_scale, value);
    return std::clamp((units - m_low) / (m_high - m_low), 0.0, 1.0);
}

double PlotAxis::valueAt(double position) const noexcept
{
    return fromUnits(m_scale, m_low + position * (m_high - m_low));
}

std::string PlotAxis::label(double position) const
{
    const double value = valueAt(position);
    if (m_scale == PlotScale::Log2)
        return shortNumber(std::exp2(std::round(std::log2(value))), 4);
    const double extent = m_high - m_low;
    const bool nearZero = m_scale == PlotScale::Linear && std::abs(value) < extent * 1e-9;
    return nearZero ? "0" : shortNumber(value, m_scale == PlotScale::Log10 ? 2 : 4);
}

}  // namespace firstbad::core
