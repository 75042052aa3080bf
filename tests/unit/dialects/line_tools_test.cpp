// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/value_kind.h"
#include "core/import/dialects/json_fields.h"
#include "core/import/dialects/line_scanner.h"
#include "core/import/dialects/pair_fields.h"
#include "tests/support/catch.h"

using namespace firstbad::core;

TEST_CASE("readFieldValue tells numbers, missing values and other words apart", "[dialects]")
{
    struct Case {
        const char* text;
        FieldKind kind;
        double number;
    };
    const auto c = GENERATE(values<Case>({
        {"3.568590 (+nanz)", FieldKind::Number, 3.56859},
        {"1,638,400", FieldKind::Number, 1638400},
        {"9.46GiB(64.99%)", FieldKind::Number, 9.46},
        {"61.4K", FieldKind::Number, 61400},
        {"-100.00%", FieldKind::Number, -100},
        {"254.84ms", FieldKind::Number, 254.84},
        {"\"1.04858e+06\"", FieldKind::Number, 1048580},
        {"12.345 GB", FieldKind::Number, 12.345},
        {"n/a", FieldKind::Missing, 0},
        {"nanms", FieldKind::Missing, 0},
        {"None", FieldKind::Missing, 0},
        {"1:25:37", FieldKind::Text, 0},
        {"2.25iter", FieldKind::Text, 0},
        {"3-21", FieldKind::Text, 0},
        {"[1e-05", FieldKind::Text, 0},
        {"success", FieldKind::Text, 0},
        {"", FieldKind::Text, 0},
    }));
    CAPTURE(c.text);
    const FieldValue value = readFieldValue(c.text);
    CHECK(value.kind == c.kind);
    CHECK(value.number == Approx(c.number));
}

TEST_CASE("readFieldValue keeps NaN and infinities", "[dialects]")
{
    struct Case {
        const char* text;
        ValueKind kind;
    };
    const auto c = GENERATE(values<Case>({
        {"nan", ValueKind::NotANumber},
        {"NaN,", ValueKind::NotANumber},
        {"\"nan\"", ValueKind::NotANumber},
        {"-inf", ValueKind::MinusInfinity},
        {"Infinity", ValueKind::PlusInfinity},
    }));
    CAPTURE(c.text);
    const FieldValue value = readFieldValue(c.text);
    CHECK(value.kind == FieldKind::Number);
    CHECK(classify(value.number) == c.kind);
}

TEST_CASE("cutWordFields names values by the words before or behind them", "[dialects]")
{
    PairFields fields;
    cutWordFields(
        "loss 3.56 (+nanz)| norm 0.62 (-0.1z)| lr 1.5e-04 | 246.16 ms | no value |", "|", fields);
    REQUIRE(fields.size() == 4);
    CHECK(fields[0].name == "loss");
    CHECK(fields[1].name == "norm");
    CHECK(fields[2].name == "lr");
    CHECK(fields[3].name == "ms");
    CHECK(readFieldValue(fields[3].value).number == Approx(246.16));
}

TEST_CASE("cutSpacedFields keeps the running mean beside the value", "[dialects]")
{
    PairFields fields;
    cutSpacedFields("eta: 0:00:27  loss: 3.6519 (nan)  max mem: 1915", fields);
    REQUIRE(fields.size() == 3);
    CHECK(fields[0].name == "eta");
    CHECK(fields[0].value == "0:00:27");
    CHECK(fields[1].value == "3.6519");
    CHECK(fields[1].mean == "nan");
    CHECK(fields[2].name == "max mem");
}

TEST_CASE("JsonFieldCutter joins nested names and keeps bare NaN", "[dialects]")
{
    std::vector<JsonField> fields;
    REQUIRE(JsonFieldCutter().cut(
        R"({"key": "a", "value": {"x": NaN, "y": [1, 2]}, "n": null})", fields));
    REQUIRE(fields.size() == 5);
    CHECK(fields[1].name == "value.x");
    CHECK(fields[1].text == "NaN");
    CHECK(fields[3].name == "value.y[1]");
    CHECK(findJsonField(fields, "n")->text == "null");
}

TEST_CASE("JsonFieldCutter refuses objects that are cut off", "[dialects]")
{
    const auto* const text
        = GENERATE(as<const char*>{}, R"({"loss": "2.3", "gno)", R"({"loss": 2.3)", R"({"loss": )",
            "{", R"({"a": {"b": 1})", R"({"a": "b\)", "", "[1]", R"({"a": 1} rest)");
    CAPTURE(text);
    std::vector<JsonField> fields;
    CHECK_FALSE(JsonFieldCutter().cut(text, fields));
}

TEST_CASE("JsonFieldCutter refuses nesting without bound", "[dialects]")
{
    std::string deep;
    for (int i = 0; i < 100000; ++i)
        deep += "{\"a\":";
    std::vector<JsonField> fields;
    CHECK_FALSE(JsonFieldCutter().cut(deep, fields));
}

TEST_CASE("LineScanner takes counters with leading blanks and zeros only", "[dialects]")
{
    LineScanner scan("   00250/21400");
    CHECK(scan.takeCounter() == 250);
    CHECK(scan.take("/"));
    CHECK(scan.takeCounter() == 21400);
    CHECK_FALSE(scan.takeCounter());
    CHECK_FALSE(LineScanner("-5").takeCounter());
    CHECK_FALSE(LineScanner("99999999999999999999999").takeCounter());
}
