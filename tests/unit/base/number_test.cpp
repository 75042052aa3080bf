// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/number.h"
#include "core/base/value_kind.h"
#include "tests/support/catch.h"

#include <cmath>
#include <cstdlib>
#include <fmt/format.h>
#include <random>
#include <string>

using namespace firstbad::core;

TEST_CASE("parseNumber reads what programs print, NaN and infinities included", "[core][base]")
{
    struct Case {
        const char* text;
        ValueKind kind;
        double value;
    };
    const auto c = GENERATE(values<Case>({
        {"1.5", ValueKind::Finite, 1.5},
        {" -2e-3 ", ValueKind::Finite, -2e-3},
        {"+7", ValueKind::Finite, 7},
        {".5", ValueKind::Finite, 0.5},
        {"2.345678E+00", ValueKind::Finite, 2.345678},
        {"nan", ValueKind::NotANumber, 0},
        {"-nan", ValueKind::NotANumber, 0},
        {"-nan(ind)", ValueKind::NotANumber, 0},
        {"NaN", ValueKind::NotANumber, 0},
        {"nan.0", ValueKind::NotANumber, 0},
        {"-inf.0", ValueKind::MinusInfinity, 0},
        {"1.#QNAN", ValueKind::NotANumber, 0},
        {"inf", ValueKind::PlusInfinity, 0},
        {"-INF", ValueKind::MinusInfinity, 0},
        {"Infinity", ValueKind::PlusInfinity, 0},
        {"-Infinity", ValueKind::MinusInfinity, 0},
        {"1.#INF", ValueKind::PlusInfinity, 0},
    }));
    CAPTURE(c.text);
    const auto parsed = parseNumber(c.text);
    REQUIRE(parsed);
    CHECK(classify(parsed->value) == c.kind);
    CHECK_FALSE(parsed->overflowed);
    if (c.kind == ValueKind::Finite)
        CHECK(parsed->value == c.value);
}

TEST_CASE("a finite decimal beyond double is an infinity with a note", "[core][base]")
{
    const auto parsed = parseNumber("-1e400");
    REQUIRE(parsed);
    CHECK(classify(parsed->value) == ValueKind::MinusInfinity);
    CHECK(parsed->overflowed);
}

TEST_CASE("words that begin like a number are no numbers", "[core][base]")
{
    const auto* text
        = GENERATE("nano", "info", "infer", "", "-", "+", "e5", "12x", "1.2.3", "naN5");
    CAPTURE(text);
    CHECK_FALSE(parseNumber(text));
}

TEST_CASE("loose numbers drop units and thousands commas and scale suffix letters", "[core][base]")
{
    CHECK(parseLooseNumber("1,638,400")->value == 1638400.0);
    CHECK(parseLooseNumber("61.4K")->value == Approx(61400.0));
    CHECK(parseLooseNumber("9.46GiB(64.99%)")->value == 9.46);
    CHECK(parseLooseNumber("45.6TFLOPS")->value == 45.6);
    CHECK(parseLooseNumber("12.5%")->value == 12.5);
    CHECK_FALSE(parseLooseNumber("12 apples and 3"));
}

TEST_CASE("integers are whole and do not overflow silently", "[core][base]")
{
    CHECK(parseInteger("42") == 42);
    CHECK(parseInteger("119.0") == 119);
    CHECK_FALSE(parseInteger("1.5"));
    CHECK_FALSE(parseInteger("99999999999999999999"));
    CHECK_FALSE(parseInteger(""));
}

TEST_CASE("Every printed decimal reads as strtod reads it", "[core][base]")
{
    std::mt19937_64 random(5);
    for (const std::string_view format : {"{:.6E}", "{:.3f}", "{:.1f}", "{:.0f}", "{:.9f}", "{}"}) {
        for (int i = 0; i < 2000; ++i) {
            const auto mantissa = static_cast<double>(random() >> 11U);
            const double value = std::ldexp(mantissa, static_cast<int>(random() % 60) - 70);
            // What follows in a log must not matter, nor how much of it there is.
            const std::string number = fmt::format(fmt::runtime(format), i % 2 ? value : -value);
            const std::string text = number + (i % 3 ? " | and what follows it" : "");
            const auto parsed = parseNumberPrefix(text);
            CAPTURE(text);
            REQUIRE(parsed);
            REQUIRE(parsed->length == number.size());
            REQUIRE(parsed->value == std::strtod(number.c_str(), nullptr));
        }
    }
}
