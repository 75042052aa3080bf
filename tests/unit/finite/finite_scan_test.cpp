// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/finite/finite_scan.h"

#include "core/base/value_kind.h"
#include "core/finite/float_format.h"
#include "tests/support/catch.h"

#include <array>
#include <bit>
#include <cstring>
#include <limits>
#include <random>
#include <rapidcheck.h>
#include <string>
#include <vector>

using namespace firstbad::core;
using enum ElementType;

namespace {

/// Patterns counted by hand from the published layouts, independent of the tables under test.
struct Known {
    ElementType type;
    unsigned bytes;
    std::uint64_t nan, posInf, negInf, zeros, subnormals, atLargest;
    double largest, smallest;
};

constexpr std::array kKnown{
    Known{Float16, 2, 2046, 1, 1, 2, 2046, 2, 65504.0, -65504.0},
    Known{BFloat16, 2, 254, 1, 1, 2, 254, 2, 3.3895313892515355e38, -3.3895313892515355e38},
    Known{Float8E5M2, 1, 6, 1, 1, 2, 6, 2, 57344.0, -57344.0},
    Known{Float8E4M3FN, 1, 2, 0, 0, 2, 14, 2, 448.0, -448.0},
    Known{Float8E5M2FNUZ, 1, 1, 0, 0, 1, 6, 2, 57344.0, -57344.0},
    Known{Float8E4M3FNUZ, 1, 1, 0, 0, 1, 14, 2, 240.0, -240.0},
    Known{Float8E8M0FNU, 1, 1, 0, 0, 0, 0, 1, 0x1p127, 0x1p-127},
};

std::string bytesOf(std::uint64_t bits, unsigned bytes)
{
    std::string text(bytes, '\0');
    std::memcpy(text.data(), &bits, bytes);
    return text;
}

std::string allPatterns(unsigned bytes)
{
    std::string all;
    for (std::uint64_t bits = 0; bits < (1ULL << (8 * bytes)); ++bits)
        all += bytesOf(bits, bytes);
    return all;
}

std::string randomBytes(std::size_t count, std::uint64_t seed)
{
    std::mt19937_64 random(seed);
    std::string bytes(count, '\0');
    for (char& byte : bytes)
        byte = static_cast<char>(random());
    return bytes;
}

constexpr std::array kAll{Float16, BFloat16, Float32, Float64, Float8E5M2, Float8E4M3FN,
    Float8E5M2FNUZ, Float8E4M3FNUZ, Float8E8M0FNU, Complex32, BComplex32, Complex64, Complex128};

}  // namespace

TEST_CASE("Every pattern of the 8-bit and 16-bit types is counted as its layout says", "[finite]")
{
    for (const Known& known : kKnown) {
        CAPTURE(elementTypeInfo(known.type).name);
        const std::string all = allPatterns(known.bytes);
        for (const ValueStats& stats :
            {countValues(known.type, all), countValuesSlowly(known.type, all)}) {
            CHECK(stats.values == 1ULL << (8 * known.bytes));
            CHECK(stats.nan == known.nan);
            CHECK(stats.posInf == known.posInf);
            CHECK(stats.negInf == known.negInf);
            CHECK(stats.zeros == known.zeros);
            CHECK(stats.subnormals == known.subnormals);
            CHECK(stats.atLargest == known.atLargest);
            CHECK(stats.largest == known.largest);
            CHECK(stats.smallest == known.smallest);
        }
    }
}

TEST_CASE("Each pattern alone, in the middle of finite values, is found at its place", "[finite]")
{
    for (const Known& known : kKnown) {
        CAPTURE(elementTypeInfo(known.type).name);
        const FloatFormat& format = *floatFormat(known.type);
        std::string bytes;
        const std::uint64_t one = static_cast<std::uint64_t>(format.bias) << format.mantissaBits;
        for (int i = 0; i < 3000; ++i)
            bytes += bytesOf(one, known.bytes);
        const std::size_t place = 2222;
        std::uint64_t wrong = 0;
        for (std::uint64_t bits = 0; bits < (1ULL << (8 * known.bytes)); ++bits) {
            std::memcpy(bytes.data() + place * known.bytes, &bits, known.bytes);
            const ValueStats fast = countValues(known.type, bytes);
            const ValueKind kind = classify(decodeValue(format, bits));
            const bool found = fast.firstBad == std::optional<std::uint64_t>(place);
            wrong += found != (kind != ValueKind::Finite) ? 1U : 0U;
            wrong += fast.nan != (kind == ValueKind::NotANumber ? 1U : 0U) ? 1U : 0U;
            wrong += fast.posInf != (kind == ValueKind::PlusInfinity ? 1U : 0U) ? 1U : 0U;
            wrong += fast.negInf != (kind == ValueKind::MinusInfinity ? 1U : 0U) ? 1U : 0U;
        }
        CHECK(wrong == 0);
    }
}

TEST_CASE("The vector path equals the scalar one on any bytes", "[finite]")
{
    const bool holds = rc::check("fast equals slow", [] {
        const ElementType type = *rc::gen::elementOf(std::vector(kAll.begin(), kAll.end()));
        const auto size = *rc::gen::inRange<std::size_t>(0, 40000);
        const auto skip = *rc::gen::inRange<std::size_t>(0, 16);
        const auto seed = *rc::gen::arbitrary<std::uint64_t>();
        const bool sparse = *rc::gen::arbitrary<bool>();
        std::string bytes = randomBytes(size + skip, seed);
        if (sparse) {  // mostly ordinary values, so that whole blocks take the short way
            for (std::size_t i = 0; i < bytes.size(); ++i)
                bytes[i] = i % 4093 == 5 ? bytes[i] : static_cast<char>(0x3C);
        }
        const std::span<const char> view(bytes.data() + skip, size);
        RC_ASSERT(countValues(type, view) == countValuesSlowly(type, view));
    });
    CHECK(holds);
}

TEST_CASE("One bad value is found wherever it stands", "[finite]")
{
    for (const ElementType type : kAll) {
        const FloatFormat& format = *floatFormat(type);
        CAPTURE(elementTypeInfo(type).name);
        constexpr std::size_t kCount = 5000;
        const std::uint64_t one = static_cast<std::uint64_t>(format.bias) << format.mantissaBits;
        const std::uint64_t bad = format.nanIsMinusZero ? format.signBit : format.firstBad;
        std::string bytes;
        for (std::size_t i = 0; i < kCount; ++i)
            bytes += bytesOf(one, format.bytes);
        std::size_t wrong = 0;
        for (std::size_t place = 0; place < kCount; place += 37) {
            std::memcpy(bytes.data() + place * format.bytes, &bad, format.bytes);
            const ValueStats stats = countValues(type, bytes);
            wrong += stats.firstBad == place && stats.nonfinite() == 1 && stats.smallest == 1.0
                    && stats.largest == 1.0
                ? 0U
                : 1U;
            std::memcpy(bytes.data() + place * format.bytes, &one, format.bytes);
        }
        CHECK(wrong == 0);
    }
}

TEST_CASE("float32 and float64 decode to the values of the machine", "[finite]")
{
    std::mt19937_64 random(3);
    for (int i = 0; i < 100000; ++i) {
        const std::uint64_t bits = random();
        const auto value = std::bit_cast<double>(bits);
        const auto single
            = static_cast<double>(std::bit_cast<float>(static_cast<std::uint32_t>(bits)));
        const double decoded = decodeValue(*floatFormat(Float64), bits);
        const double decodedSingle = decodeValue(*floatFormat(Float32), bits & 0xFFFFFFFFU);
        REQUIRE(classify(decoded) == classify(value));
        REQUIRE(classify(decodedSingle) == classify(single));
        if (isFinite(value))
            REQUIRE(std::bit_cast<std::uint64_t>(decoded) == bits);
        if (isFinite(single))
            REQUIRE(decodedSingle == single);
    }
}

TEST_CASE("Integers and packed types are counted and never bad", "[finite]")
{
    const std::string bytes(1024, '\xFF');
    CHECK(countValues(Int32, bytes).values == 256);
    CHECK(countValues(Int32, bytes).nonfinite() == 0);
    CHECK(countValues(Float4E2M1X2, bytes).values == 2048);
    CHECK_FALSE(countValues(UInt8, bytes).smallest);
}

TEST_CASE("Parts joined in any order give what one pass gives", "[finite]")
{
    std::string bytes = randomBytes(60000, 11);
    const ValueStats whole = countValues(BFloat16, bytes);
    ValueStats joined;
    for (const std::size_t from : {40000U, 0U, 20000U})
        joined.join(countValues(BFloat16, std::span(bytes).subspan(from, 20000)), from / 2);
    CHECK(joined == whole);
    CHECK(whole.firstBad);
}

TEST_CASE("Bytes of big-endian values are turned around in place", "[finite]")
{
    std::string bytes = "abcdefghij";
    swapByteOrder(bytes, 4);
    CHECK(bytes == "dcbahgfeij");
}
