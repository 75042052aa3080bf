// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/text.h"
#include "tests/support/catch.h"

using namespace firstbad::core;

TEST_CASE("text for terminals carries no escapes, controls or bidi overrides", "[core][base]")
{
    CHECK(escapedForTerminal("a\x1b[31mb") == "a\\x1B[31mb");
    CHECK(escapedForTerminal("tab\there") == "tab\\x09here");
    CHECK(escapedForTerminal("\xE2\x80\xAEx") == "\\u{202E}x");
    CHECK(escapedForTerminal("\xFFz") == "\\xFFz");
    CHECK(escapedForTerminal("损失") == "损失");
}

TEST_CASE("invalid UTF-8 becomes replacement characters, overlong forms and surrogates included",
    "[core][base]")
{
    CHECK(isValidUtf8("损失 ok"));
    CHECK_FALSE(isValidUtf8("\xC0\x80"));
    CHECK_FALSE(isValidUtf8("\xED\xA0\x80"));
    CHECK(toValidUtf8("a\xFF") == "a\xEF\xBF\xBD");
}

TEST_CASE("numbers for people are grouped and name what is not finite", "[core][base]")
{
    CHECK(groupedInteger(33708) == "33,708");
    CHECK(groupedInteger(-1234567) == "-1,234,567");
    CHECK(groupedInteger(-123) == "-123");
    CHECK(shortNumber(65536.0) == "65,536");
    CHECK(shortNumber(0.5) == "0.5");
    CHECK(shortNumber(std::numeric_limits<double>::infinity()) == "+Inf");
}
