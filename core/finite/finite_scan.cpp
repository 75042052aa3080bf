// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/finite/finite_scan.h"

#include "core/base/value_kind.h"
#include "core/finite/finite_kernel.h"
#include "core/finite/float_format.h"

#include <algorithm>
#include <cmath>

namespace firstbad::core {
namespace {

constexpr std::size_t kVectorBytes = 64;  // a multiple of every vector length that Highway picks

void addValue(const FloatFormat& format, std::uint64_t bits, std::uint64_t index, ValueStats& stats)
{
    const double value = decodeValue(format, bits);
    ++stats.values;
    switch (classify(value)) {
    case ValueKind::NotANumber:
        ++stats.nan;
        break;
    case ValueKind::PlusInfinity:
        ++stats.posInf;
        break;
    case ValueKind::MinusInfinity:
        ++stats.negInf;
        break;
    case ValueKind::Finite:
        stats.smallest = stats.smallest ? std::min(*stats.smallest, value) : value;
        stats.largest = stats.largest ? std::max(*stats.largest, value) : value;
        stats.zeros += value == 0.0 ? 1U : 0U;
        if (value != 0.0 && std::fabs(value) < decodeValue(format, format.smallestNormal)
            && format.smallestNormal != 0)
            ++stats.subnormals;
        stats.atLargest += std::fabs(value) == decodeValue(format, format.largest) ? 1U : 0U;
        return;
    }
    if (!stats.firstBad)
        stats.firstBad = index;
}

ValueStats countOneByOne(const FloatFormat& format, std::span<const char> bytes)
{
    ValueStats stats;
    const std::size_t count = bytes.size() / format.bytes;
    for (std::size_t i = 0; i < count; ++i)
        addValue(format, loadBits(format, bytes.data() + i * format.bytes), i, stats);
    return stats;
}

ValueStats countUntyped(ElementType type, std::span<const char> bytes)
{
    ValueStats stats;
    stats.values = bytes.size() * 8 / elementTypeInfo(type).bits;
    return stats;
}

ValueStats statsOf(const FloatFormat& format, const KernelCounts& counts, std::size_t values)
{
    ValueStats stats;
    stats.values = values;
    stats.nan = counts.nan;
    stats.posInf = counts.posInf;
    stats.negInf = counts.negInf;
    stats.zeros = counts.zeros;
    stats.subnormals = counts.subnormals;
    stats.atLargest = counts.atLargest;
    if (counts.firstBad != UINT64_MAX)
        stats.firstBad = counts.firstBad;
    if (stats.nonfinite() < stats.values) {
        stats.smallest = decodeValue(format, counts.smallest);
        stats.largest = decodeValue(format, counts.largest);
    }
    return stats;
}

/// -0.0 and 0.0 are one value; which of them came first is nobody's business.
void dropSignOfZero(std::optional<double>& value) noexcept
{
    if (value && *value == 0.0)
        value = 0.0;
}

}  // namespace

ValueStats countValues(ElementType type, std::span<const char> bytes) noexcept
{
    const FloatFormat* format = floatFormat(type);
    if (format == nullptr)
        return countUntyped(type, bytes);
    const std::size_t whole = bytes.size() / kVectorBytes * kVectorBytes;
    ValueStats stats;
    if (whole > 0) {
        KernelCounts counts;
        runFiniteKernel(*format, bytes.data(), whole, counts);
        stats = statsOf(*format, counts, whole / format->bytes);
    }
    if (whole < bytes.size())
        stats.join(countOneByOne(*format, bytes.subspan(whole)), stats.values);
    dropSignOfZero(stats.smallest);
    dropSignOfZero(stats.largest);
    return stats;
}

ValueStats countValuesSlowly(ElementType type, std::span<const char> bytes) noexcept
{
    const FloatFormat* format = floatFormat(type);
    if (format == nullptr)
        return countUntyped(type, bytes);
    ValueStats stats = countOneByOne(*format, bytes);
    dropSignOfZero(stats.smallest);
    dropSignOfZero(stats.largest);
    return stats;
}

void swapByteOrder(std::span<char> bytes, unsigned valueBytes) noexcept
{
    if (valueBytes < 2)
        return;
    for (std::size_t at = 0; at + valueBytes <= bytes.size(); at += valueBytes)
        std::reverse(bytes.begin() + static_cast<std::ptrdiff_t>(at),
            bytes.begin() + static_cast<std::ptrdiff_t>(at + valueBytes));
}

const char* finiteScanTarget() noexcept
{
    return finiteKernelTarget();
}

}  // namespace firstbad::core
