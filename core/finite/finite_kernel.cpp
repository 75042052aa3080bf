// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/finite/finite_kernel.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <limits>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "core/finite/finite_kernel.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace firstbad::core::HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;

constexpr std::size_t kBlockBytes = 4096;  // stays in the first-level cache between two looks

// Patterns are ordered by a signed integer key: the pattern itself, or for negative values the
// pattern with its magnitude turned over. So one minimum and one maximum of keys give the finite
// range and tell at once whether a block holds anything beyond it.
template <class Lane, bool kSigned> class Scanner
{
    using Key = hwy::MakeSigned<Lane>;
    using Bits = hn::ScalableTag<Lane>;
    using Keys = hn::Rebind<Key, Bits>;
    using BitVector = hn::Vec<Bits>;
    using KeyVector = hn::Vec<Keys>;

public:
    Scanner(const FloatFormat& format, KernelCounts& counts)
        : m_format(format)
        , m_counts(counts)
    { }

    void run(const Lane* HWY_RESTRICT data, std::size_t count)
    {
        const Keys keys;
        KeyVector low = hn::Set(keys, std::numeric_limits<Key>::max());
        KeyVector high = hn::Set(keys, std::numeric_limits<Key>::min());
        constexpr std::size_t kBlock = kBlockBytes / sizeof(Lane);
        for (std::size_t at = 0; at < count; at += kBlock)
            scanBlock(data + at, std::min(kBlock, count - at), at, low, high);
        store(low, high);
    }

private:
    HWY_INLINE BitVector magnitudeOf(BitVector bits) const
    {
        if constexpr (kSigned)
            return hn::And(bits, hn::Set(Bits(), static_cast<Lane>(~signBit())));
        else
            return bits;
    }

    HWY_INLINE KeyVector keyOf(BitVector bits) const
    {
        const Keys keys;
        if constexpr (kSigned) {
            const KeyVector asKey = hn::BitCast(keys, bits);
            const KeyVector magnitude = hn::Set(keys, std::numeric_limits<Key>::max());
            return hn::Xor(asKey, hn::And(hn::BroadcastSignBit(asKey), magnitude));
        } else {
            return hn::BitCast(keys, hn::Xor(bits, hn::Set(Bits(), signBit())));
        }
    }

    [[nodiscard]] static constexpr Lane signBit() noexcept
    {
        return static_cast<Lane>(Lane{1} << (sizeof(Lane) * 8 - 1));
    }

    [[nodiscard]] static Key scalarKey(Lane bits) noexcept
    {
        const bool negative = (bits & signBit()) != 0;
        const Lane flipped = kSigned
            ? (negative ? static_cast<Lane>(bits ^ static_cast<Lane>(~signBit())) : bits)
            : static_cast<Lane>(bits ^ signBit());
        return static_cast<Key>(flipped);
    }

    [[nodiscard]] static Lane patternOf(Key key) noexcept
    {
        const auto bits = static_cast<Lane>(key);
        if constexpr (kSigned)
            return key < 0 ? static_cast<Lane>(bits ^ static_cast<Lane>(~signBit())) : bits;
        else
            return static_cast<Lane>(bits ^ signBit());
    }

    HWY_INLINE void scanBlock(const Lane* HWY_RESTRICT data, std::size_t count, std::size_t at,
        KeyVector& low, KeyVector& high)
    {
        const Bits d;
        const Keys keys;
        const std::size_t lanes = hn::Lanes(d);
        KeyVector blockLow = hn::Set(keys, std::numeric_limits<Key>::max());
        KeyVector blockHigh = hn::Set(keys, std::numeric_limits<Key>::min());
        BitVector least = hn::Set(d, std::numeric_limits<Lane>::max());
        for (std::size_t i = 0; i < count; i += lanes) {
            const BitVector bits = hn::LoadU(d, data + i);
            const KeyVector key = keyOf(bits);
            blockLow = hn::Min(blockLow, key);
            blockHigh = hn::Max(blockHigh, key);
            least = hn::Min(least, magnitudeOf(bits));
        }
        const auto edge = hn::Or(hn::Not(hn::Lt(blockHigh, hn::Set(keys, scalarKey(largest())))),
            hn::Not(hn::Gt(blockLow, hn::Set(keys, lowestKey()))));
        const auto small = hn::Lt(least, hn::Set(d, static_cast<Lane>(m_format.smallestNormal)));
        const bool nothingRare = hn::AllFalse(keys, edge) && hn::AllFalse(d, small);
        if (nothingRare || countRare(data, count) == 0) {
            low = hn::Min(low, blockLow);
            high = hn::Max(high, blockHigh);
        } else {
            countBad(data, count, at, low, high);
        }
    }

    [[nodiscard]] Lane largest() const noexcept { return static_cast<Lane>(m_format.largest); }

    /// Key of the most negative finite value; of the smallest one in unsigned types.
    [[nodiscard]] Key lowestKey() const noexcept
    {
        return kSigned ? scalarKey(static_cast<Lane>(largest() | signBit()))
                       : std::numeric_limits<Key>::min();
    }

    HWY_INLINE auto isBad(BitVector bits, BitVector magnitude) const
    {
        const Bits d;
        if (m_format.nanIsMinusZero)
            return hn::Eq(bits, hn::Set(d, signBit()));
        return hn::Not(hn::Lt(magnitude, hn::Set(d, static_cast<Lane>(m_format.firstBad))));
    }

    /// Counts zeros, subnormals and values at the largest; answers how many values are bad.
    HWY_NOINLINE std::size_t countRare(const Lane* HWY_RESTRICT data, std::size_t count)
    {
        const Bits d;
        const auto normal = hn::Set(d, static_cast<Lane>(m_format.smallestNormal));
        const auto top = hn::Set(d, largest());
        const auto zero = hn::Zero(d);
        std::size_t zeros = 0;
        std::size_t small = 0;
        std::size_t atLargest = 0;
        std::size_t bad = 0;
        for (std::size_t i = 0; i < count; i += hn::Lanes(d)) {
            const BitVector bits = hn::LoadU(d, data + i);
            const BitVector magnitude = magnitudeOf(bits);
            zeros += hn::CountTrue(d, hn::Eq(magnitude, zero));
            small += hn::CountTrue(d, hn::Lt(magnitude, normal));
            atLargest += hn::CountTrue(d, hn::Eq(magnitude, top));
            bad += hn::CountTrue(d, isBad(bits, magnitude));
        }
        m_counts.atLargest += atLargest;
        if (m_format.smallestNormal != 0) {
            m_counts.subnormals += small - zeros;
            m_counts.zeros += zeros - (m_format.nanIsMinusZero ? bad : 0);
        }
        return bad;
    }

    HWY_NOINLINE void countBad(const Lane* HWY_RESTRICT data, std::size_t count, std::size_t at,
        KeyVector& low, KeyVector& high)
    {
        const Bits d;
        const Keys keys;
        const auto plus = hn::Set(d, static_cast<Lane>(m_format.firstBad));
        const auto minus = hn::Set(d, static_cast<Lane>(m_format.firstBad | m_format.signBit));
        std::size_t bad = 0;
        std::size_t posInf = 0;
        std::size_t negInf = 0;
        for (std::size_t i = 0; i < count; i += hn::Lanes(d)) {
            const BitVector bits = hn::LoadU(d, data + i);
            const auto badLanes = isBad(bits, magnitudeOf(bits));
            bad += hn::CountTrue(d, badLanes);
            if (m_format.hasInfinity) {
                posInf += hn::CountTrue(d, hn::Eq(bits, plus));
                negInf += hn::CountTrue(d, hn::Eq(bits, minus));
            }
            const KeyVector key = keyOf(bits);
            const auto badKeys = hn::RebindMask(keys, badLanes);
            low = hn::Min(low, hn::IfThenElse(badKeys, low, key));
            high = hn::Max(high, hn::IfThenElse(badKeys, high, key));
        }
        m_counts.nan += bad - posInf - negInf;
        m_counts.posInf += posInf;
        m_counts.negInf += negInf;
        for (std::size_t i = 0; m_counts.firstBad == UINT64_MAX && i < count; ++i) {
            Lane lane = 0;
            std::memcpy(&lane, data + i, sizeof(lane));  // the bytes may lie at any address
            if (isBadPattern(m_format, lane))
                m_counts.firstBad = at + i;
        }
    }

    void store(KeyVector low, KeyVector high)
    {
        const Keys keys;
        HWY_ALIGN std::array<Key, hn::MaxLanes(Keys())> lows;
        HWY_ALIGN std::array<Key, hn::MaxLanes(Keys())> highs;
        hn::Store(low, keys, lows.data());
        hn::Store(high, keys, highs.data());
        const auto lanes = static_cast<std::ptrdiff_t>(hn::Lanes(keys));
        m_counts.smallest = patternOf(*std::min_element(lows.begin(), lows.begin() + lanes));
        m_counts.largest = patternOf(*std::max_element(highs.begin(), highs.begin() + lanes));
    }

    const FloatFormat& m_format;
    KernelCounts& m_counts;
};

template <class Lane, bool kSigned>
void scan(const FloatFormat& format, const char* data, std::size_t bytes, KernelCounts& counts)
{
    // Loads below are unaligned vector loads: the cast asks for no alignment.
    Scanner<Lane, kSigned>(format, counts)
        .run(reinterpret_cast<const Lane*>(data), bytes / sizeof(Lane));
}

void scanTarget(
    const FloatFormat& format, const char* data, std::size_t bytes, KernelCounts& counts)
{
    switch (format.bytes) {
    case 1:
        return format.isSigned ? scan<std::uint8_t, true>(format, data, bytes, counts)
                               : scan<std::uint8_t, false>(format, data, bytes, counts);
    case 2:
        return scan<std::uint16_t, true>(format, data, bytes, counts);
    case 4:
        return scan<std::uint32_t, true>(format, data, bytes, counts);
    default:
        return scan<std::uint64_t, true>(format, data, bytes, counts);
    }
}

const char* targetName()
{
    return hwy::TargetName(HWY_TARGET);
}

}  // namespace
}  // namespace firstbad::core::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace firstbad::core {

HWY_EXPORT(scanTarget);
HWY_EXPORT(targetName);

void runFiniteKernel(
    const FloatFormat& format, const char* data, std::size_t bytes, KernelCounts& counts) noexcept
{
    HWY_DYNAMIC_DISPATCH(scanTarget)(format, data, bytes, counts);
}

const char* finiteKernelTarget() noexcept
{
    return HWY_DYNAMIC_DISPATCH(targetName)();
}

}  // namespace firstbad::core
#endif
