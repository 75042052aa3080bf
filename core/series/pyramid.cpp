// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/series/pyramid.h"

#include <algorithm>
#include <limits>

namespace firstbad::core {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

std::size_t kindIndex(ValueKind kind) noexcept
{
    return static_cast<std::size_t>(kind) - 1;
}

/// Part `i` of `whole` cut into `parts`: rounded down, without overflow for parts < 2^32.
std::uint64_t share(std::uint64_t whole, std::uint64_t i, std::uint64_t parts) noexcept
{
    return whole / parts * i + whole % parts * i / parts;
}

std::uint64_t distance(std::int64_t from, std::int64_t to) noexcept
{
    return static_cast<std::uint64_t>(to) - static_cast<std::uint64_t>(from);
}

std::int64_t stepAt(std::int64_t first, std::uint64_t offset) noexcept
{
    return static_cast<std::int64_t>(static_cast<std::uint64_t>(first) + offset);
}

/// The last part i of `parts` that begins at or before `offset`.
std::size_t partOf(std::uint64_t offset, std::uint64_t whole, std::size_t parts) noexcept
{
    std::size_t low = 0;
    std::size_t high = parts;
    while (high - low > 1) {
        const std::size_t middle = low + (high - low) / 2;
        (share(whole, middle, parts) <= offset ? low : high) = middle;
    }
    return low;
}

std::uint64_t countIn(const std::vector<std::size_t>& points, std::size_t from, std::size_t to)
{
    const auto first = std::lower_bound(points.begin(), points.end(), from);
    return static_cast<std::uint64_t>(std::lower_bound(first, points.end(), to) - first);
}

void addFinite(PixelColumn& pixel, double value)
{
    pixel.min = pixel.min ? std::min(*pixel.min, value) : value;
    pixel.max = pixel.max ? std::max(*pixel.max, value) : value;
}

}  // namespace

Pyramid::Bucket Pyramid::emptyBucket() noexcept
{
    return {kInfinity, -kInfinity};
}

Pyramid::Pyramid(std::shared_ptr<const Column> column)
    : m_column(std::move(column))
{
    const std::size_t size = m_column->size();
    m_stepsAscend = std::is_sorted(m_column->steps.begin(), m_column->steps.end());
    std::vector<Bucket> level;
    level.reserve(size / kBasePoints + 1);
    for (std::size_t from = 0; from < size; from += kBasePoints)
        level.push_back(baseBucket(from, std::min(from + kBasePoints, size)));
    while (!level.empty()) {
        const bool isTop = level.size() <= kFanOut;
        m_levels.push_back(std::move(level));
        level.clear();
        if (isTop)
            break;
        const auto& below = m_levels.back();
        for (std::size_t i = 0; i < below.size(); ++i) {
            if (i % kFanOut == 0)
                level.push_back(emptyBucket());
            level.back().add(below[i]);
        }
    }
}

/// Two accumulators of each kind, so that one comparison does not wait for the one before.
Pyramid::Bucket Pyramid::baseBucket(std::size_t from, std::size_t to)
{
    Bucket even = emptyBucket();
    Bucket odd = emptyBucket();
    bool allFinite = true;
    const double* const values = m_column->values.data();
    const auto take = [&](double value, Bucket& bucket) {
        const bool finite = isFinite(value);
        allFinite &= finite;
        bucket.min = (finite ? value : kInfinity) < bucket.min ? value : bucket.min;
        bucket.max = (finite ? value : -kInfinity) > bucket.max ? value : bucket.max;
    };
    std::size_t i = from;
    for (; i + 1 < to; i += 2) {
        take(values[i], even);
        take(values[i + 1], odd);
    }
    if (i < to)
        take(values[i], even);
    if (!allFinite)
        addNonfinite(from, to);
    even.add(odd);
    return even;
}

void Pyramid::addNonfinite(std::size_t from, std::size_t to)
{
    for (std::size_t i = from; i < to; ++i) {
        const ValueKind kind = classify(m_column->values[i]);
        if (kind != ValueKind::Finite)
            m_nonfinite[kindIndex(kind)].push_back(i);
    }
}

void Pyramid::scan(std::size_t from, std::size_t to, Bucket& bucket) const noexcept
{
    for (std::size_t i = from; i < to; ++i)
        if (const double value = m_column->values[i]; isFinite(value))
            bucket.add(value);
}

Pyramid::Bucket Pyramid::extremes(std::size_t from, std::size_t to) const noexcept
{
    Bucket result = emptyBucket();
    std::size_t low = (from + kBasePoints - 1) / kBasePoints;
    std::size_t high = to / kBasePoints;
    if (low >= high) {
        scan(from, to, result);
        return result;
    }
    scan(from, low * kBasePoints, result);
    scan(high * kBasePoints, to, result);
    for (const auto& level : m_levels) {
        const bool isTop = &level == &m_levels.back();
        for (; low < high && (isTop || low % kFanOut != 0); ++low)
            result.add(level[low]);
        for (; low < high && high % kFanOut != 0; --high)
            result.add(level[high - 1]);
        if (low >= high)
            break;
        low /= kFanOut;
        high /= kFanOut;
    }
    return result;
}

PixelColumn Pyramid::pixel(std::size_t from, std::size_t to) const
{
    PixelColumn pixel;
    pixel.firstPoint = from;
    pixel.endPoint = to;
    pixel.counts.nan = countIn(m_nonfinite[0], from, to);
    pixel.counts.posInf = countIn(m_nonfinite[1], from, to);
    pixel.counts.negInf = countIn(m_nonfinite[2], from, to);
    pixel.counts.finite = to - from - pixel.counts.nonfinite();
    if (pixel.counts.finite > 0) {
        const Bucket bucket = extremes(from, to);
        pixel.min = bucket.min;
        pixel.max = bucket.max;
    }
    return pixel;
}

std::vector<PixelColumn> Pyramid::byPoints(
    std::size_t from, std::size_t to, std::size_t pixels) const
{
    std::vector<PixelColumn> result;
    to = std::min(to, m_column->size());
    pixels = std::min(pixels, kMaxPixels);
    if (from >= to)
        return result;
    result.reserve(pixels);
    for (std::size_t i = 0; i < pixels; ++i)
        result.push_back(
            pixel(from + share(to - from, i, pixels), from + share(to - from, i + 1, pixels)));
    return result;
}

std::vector<PixelColumn> Pyramid::bySteps(
    std::int64_t first, std::int64_t last, std::size_t pixels) const
{
    pixels = std::min(pixels, kMaxPixels);
    if (first > last || pixels == 0)
        return {};
    std::vector<PixelColumn> result;
    if (!m_stepsAscend) {
        result = scanSteps(first, last, pixels);
    } else {
        const auto& steps = m_column->steps;
        const std::uint64_t span = distance(first, last);
        auto at = std::lower_bound(steps.begin(), steps.end(), first);
        for (std::size_t i = 0; i < pixels; ++i) {
            const auto next = i + 1 == pixels
                ? std::upper_bound(at, steps.end(), last)
                : std::lower_bound(at, steps.end(), stepAt(first, share(span, i + 1, pixels)));
            result.push_back(pixel(static_cast<std::size_t>(at - steps.begin()),
                static_cast<std::size_t>(next - steps.begin())));
            at = next;
        }
    }
    countMissing(first, last, result);
    return result;
}

std::vector<PixelColumn> Pyramid::scanSteps(
    std::int64_t first, std::int64_t last, std::size_t pixels) const
{
    std::vector<PixelColumn> result(pixels);
    const std::uint64_t span = distance(first, last);
    for (std::size_t i = 0; i < m_column->size(); ++i) {
        const std::int64_t step = m_column->steps[i];
        if (step < first || step > last)
            continue;
        PixelColumn& pixel = result[partOf(distance(first, step), span, pixels)];
        const ValueKind kind = classify(m_column->values[i]);
        pixel.counts.add(kind);
        if (kind == ValueKind::Finite)
            addFinite(pixel, m_column->values[i]);
    }
    return result;
}

void Pyramid::countMissing(
    std::int64_t first, std::int64_t last, std::vector<PixelColumn>& pixels) const
{
    const std::uint64_t span = distance(first, last);
    for (const std::int64_t step : m_column->missingSteps)
        if (step >= first && step <= last)
            ++pixels[partOf(distance(first, step), span, pixels.size())].missing;
}

std::vector<NonfiniteMark> Pyramid::marks(std::size_t from, std::size_t to, std::size_t limit) const
{
    std::array<std::vector<std::size_t>::const_iterator, kKinds> at;
    for (std::size_t kind = 0; kind < kKinds; ++kind)
        at[kind] = std::lower_bound(m_nonfinite[kind].begin(), m_nonfinite[kind].end(), from);
    std::vector<NonfiniteMark> result;
    while (result.size() < limit) {
        std::size_t best = kKinds;
        for (std::size_t kind = 0; kind < kKinds; ++kind)
            if (at[kind] != m_nonfinite[kind].end() && *at[kind] < to
                && (best == kKinds || *at[kind] < *at[best]))
                best = kind;
        if (best == kKinds)
            break;
        result.push_back({*at[best]++, static_cast<ValueKind>(best + 1)});
    }
    return result;
}

std::size_t Pyramid::memoryBytes() const noexcept
{
    std::size_t bytes = 0;
    for (const auto& level : m_levels)
        bytes += level.size() * sizeof(Bucket);
    for (const auto& points : m_nonfinite)
        bytes += points.size() * sizeof(std::size_t);
    return bytes;
}

}  // namespace firstbad::core
