// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/present/timeline/ticks.h"

#include "core/base/time.h"
#include "core/base/value_kind.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace firstbad::core {
namespace {

double roundDistance(double width, int most)
{
    const double least = width / std::max(most, 1);
    const double power = std::pow(10.0, std::floor(std::log10(least)));
    for (const double factor : {1.0, 2.0, 5.0}) {
        if (factor * power >= least)
            return factor * power;
    }
    return 10.0 * power;
}

std::vector<double> multiples(double low, double high, double distance)
{
    constexpr std::size_t kMost = 1000;
    std::vector<double> ticks;
    const double first = std::ceil(low / distance - 1e-9);
    for (std::size_t i = 0; i < kMost; ++i) {
        const double tick = (first + static_cast<double>(i)) * distance;
        if (tick > high + distance * 1e-9)
            break;
        ticks.push_back(tick);
    }
    return ticks;
}

bool isUsable(double low, double high)
{
    return isFinite(low) && isFinite(high) && low < high && isFinite(high - low);
}

std::vector<double> logTicks(double base, ValueRange range, int most)
{
    const double logBase = std::log(base);
    const double low = std::log(range.low) / logBase;
    const double high = std::log(range.high) / logBase;
    const double every = std::max(1.0, std::ceil((high - low) / std::max(most, 1)));
    std::vector<double> ticks;
    for (const double exponent : multiples(low, high, every))
        ticks.push_back(std::pow(base, exponent));
    if (ticks.size() < 2)
        return valueTicks(PlotScale::Linear, range, most);
    if (base > 2.0 && 2 * ticks.size() <= static_cast<std::size_t>(most)) {
        for (const double exponent : multiples(low - 1.0, high, every)) {
            const double third = 3.0 * std::pow(base, exponent);
            if (third >= range.low && third <= range.high)
                ticks.push_back(third);
        }
        std::sort(ticks.begin(), ticks.end());
    }
    return ticks;
}

}  // namespace

std::vector<double> valueTicks(PlotScale scale, ValueRange range, int most)
{
    if (!isUsable(range.low, range.high) || most < 1)
        return {};
    if (scale != PlotScale::Linear && range.low > 0.0)
        return logTicks(scale == PlotScale::Log2 ? 2.0 : 10.0, range, most);
    return multiples(range.low, range.high, roundDistance(range.high - range.low, most));
}

std::vector<double> stepTicks(double low, double high, int most)
{
    if (!isUsable(low, high) || most < 1)
        return {};
    return multiples(low, high, std::max(1.0, roundDistance(high - low, most)));
}

std::vector<double> timeTicks(double low, double high, int most)
{
    constexpr std::array kDistances{1.0, 2.0, 5.0, 10.0, 15.0, 30.0, 60.0, 120.0, 300.0, 600.0,
        900.0, 1800.0, 3600.0, 7200.0, 10800.0, 21600.0, 43200.0, 86400.0, 172800.0, 604800.0};
    if (!isUsable(low, high) || most < 1)
        return {};
    const double least = (high - low) / most;
    const auto* found = std::find_if(kDistances.begin(), kDistances.end(),
        [least](double distance) { return distance >= least; });
    const double distance = found == kDistances.end()
        ? 86400.0 * std::ceil(roundDistance((high - low) / 86400.0, most))
        : *found;
    return multiples(low, high, distance);
}

std::string timeTickText(double seconds, double distance)
{
    const std::string iso = toIso8601(seconds);
    if (iso.size() < 19)
        return iso;
    if (distance >= 86400.0)
        return iso.substr(5, 5);
    if (distance >= 3600.0)
        return iso.substr(5, 5) + " " + iso.substr(11, 5);
    return distance >= 60.0 ? iso.substr(11, 5) : iso.substr(11, 8);
}

}  // namespace firstbad::core
