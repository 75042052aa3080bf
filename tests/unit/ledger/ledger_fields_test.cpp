// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/value_kind.h"
#include "core/ledger/ledger_fields.h"
#include "tests/support/catch.h"

#include <string>

using namespace firstbad::core;

TEST_CASE("A ledger line is cut into its members", "[core][ledger]")
{
    LedgerFields fields;
    REQUIRE(fields.split(
        R"( { "kind": "step", "step":12,"loss":NaN,"a":{"b":[1,"}"],"c":"\""}, "text":"x\"\u00e9", "no":null} )"));
    REQUIRE(fields.all().size() == 6);
    CHECK(fields.find(LedgerName::Kind)->raw == "\"step\"");
    CHECK(fields.integer("step") == 12);
    REQUIRE(fields.number("loss"));
    CHECK(classify(*fields.number("loss")) == ValueKind::NotANumber);
    CHECK(fields.find("a")->raw == R"({"b":[1,"}"],"c":"\""})");
    CHECK(fields.text("text") == "x\"\xc3\xa9");
    CHECK(fields.text("no").empty());
    CHECK_FALSE(fields.number("no"));
    CHECK(fields.find("absent") == nullptr);
}

TEST_CASE("Numbers, flags and non-finite texts are numbers", "[core][ledger]")
{
    CHECK(ledgerNumber("true") == 1.0);
    CHECK(ledgerNumber("false") == 0.0);
    CHECK(ledgerNumber("-2.5e-3") == -0.0025);
    CHECK(classify(*ledgerNumber("\"-Infinity\"")) == ValueKind::MinusInfinity);
    CHECK(classify(*ledgerNumber("1e400")) == ValueKind::PlusInfinity);
    CHECK_FALSE(ledgerNumber("\"abc\""));
}

TEST_CASE("What is no complete object is refused", "[core][ledger]")
{
    LedgerFields fields;
    const std::string whole = R"({"kind":"step","step":1,"ids":[1,[2]],"t":"a\\"})";
    REQUIRE(fields.split(whole));
    for (std::size_t cut = 0; cut < whole.size(); ++cut) {
        CAPTURE(cut);
        CHECK_FALSE(fields.split(whole.substr(0, cut)));
    }
    CHECK_FALSE(fields.split(whole + "}"));
    CHECK_FALSE(fields.split(R"({"a" 1})"));
    CHECK_FALSE(fields.split(R"({"a":})"));
    CHECK_FALSE(fields.split(R"([1,2])"));
    CHECK_FALSE(fields.split("{\"a\":" + std::string(100000, '[')));
    CHECK(fields.split("{}"));
}
