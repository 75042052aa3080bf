// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/json_reader.h"
#include "core/base/value_kind.h"
#include "tests/support/catch.h"

using namespace firstbad::core;

namespace {

JsonValue parsed(std::string_view json)
{
    auto value = parseJson(json);
    INFO(json);
    REQUIRE(value);
    return *std::move(value);
}

}  // namespace

TEST_CASE("JSON numbers that are none keep their kind", "[base][json]")
{
    struct Case {
        const char* json;
        ValueKind kind;
        bool overflowed;
    };
    const auto c = GENERATE(values<Case>({
        {"[NaN]", ValueKind::NotANumber, false},
        {"[Infinity]", ValueKind::PlusInfinity, false},
        {"[-Infinity]", ValueKind::MinusInfinity, false},
        {"[Inf]", ValueKind::PlusInfinity, false},
        {"[nan]", ValueKind::NotANumber, false},
        {"[-nan]", ValueKind::NotANumber, false},
        {"[inf]", ValueKind::PlusInfinity, false},
        {"[-inf]", ValueKind::MinusInfinity, false},
        {"[1e400]", ValueKind::PlusInfinity, true},
        {"[-1e999]", ValueKind::MinusInfinity, true},
        {"[1e-400]", ValueKind::Finite, false},
        {"[1e308]", ValueKind::Finite, false},
        {"[.5]", ValueKind::Finite, false},
        {"[+5.]", ValueKind::Finite, false},
    }));
    CAPTURE(c.json);
    const JsonValue value = parsed(c.json);
    REQUIRE(value.items.size() == 1);
    REQUIRE(value.items[0].kind == JsonValue::Kind::Number);
    CHECK(classify(value.items[0].real) == c.kind);
    CHECK(value.items[0].overflowed == c.overflowed);
}

TEST_CASE("Words that spell numbers are numbers only where one is expected", "[base][json]")
{
    const JsonValue value
        = parsed(R"({"a": "NaN", "b": "-inf", "c": "2.5", "d": "nano", "e": null})");
    CHECK(value.find("a")->kind == JsonValue::Kind::Text);
    CHECK(classify(value.find("a")->asNumber().value()) == ValueKind::NotANumber);
    CHECK(classify(value.find("b")->asNumber().value()) == ValueKind::MinusInfinity);
    CHECK(value.find("c")->asNumber() == 2.5);
    CHECK_FALSE(value.find("d")->asNumber().has_value());
    CHECK_FALSE(value.find("e")->asNumber().has_value());
    CHECK(value.find("f") == nullptr);
}

TEST_CASE("Almost-JSON is read: Python reprs and JSON5", "[base][json]")
{
    const char* const json
        = GENERATE(R"({'loss': 1.5, 'text': 'it\'s "so"', 'flag': True, 'none': None})",
            R"({loss: 1.5, text: "it's \"so\"", flag: true, none: undefined,})",
            "{\"loss\": 1.5, // why\n \"text\": \"it's \\\"so\\\"\", /* and */ \"flag\": true, "
            "\"none\": "
            "nil}");
    const JsonValue value = parsed(json);
    CHECK(value.find("loss")->asNumber() == 1.5);
    CHECK(value.find("text")->asText() == "it's \"so\"");
    CHECK(value.find("flag")->flag);
    CHECK(value.find("none")->kind == JsonValue::Kind::Null);
}

TEST_CASE("Strings are decoded, raw control characters in them included", "[base][json]")
{
    CHECK(parsed("[\"a\tb\"]").items[0].asText() == "a\tb");
    CHECK(parsed(R"(["\u00e9\n\\"])").items[0].asText() == "\xc3\xa9\n\\");
}

TEST_CASE("Integers keep all their digits", "[base][json]")
{
    const JsonValue value = parsed("[9007199254740993, 16777217.0, 2.5, 1e3, \"12\"]");
    CHECK(value.items[0].asInteger() == 9007199254740993);
    CHECK(value.items[1].asInteger() == 16777217);
    CHECK_FALSE(value.items[2].asInteger().has_value());
    CHECK(value.items[3].asInteger() == 1000);
    CHECK(value.items[4].asInteger() == 12);
    CHECK_FALSE(parsed("[NaN]").items[0].asInteger().has_value());
}

TEST_CASE("Broken JSON is an error with the place of the fault", "[base][json]")
{
    struct Case {
        const char* json;
        std::uint64_t offset;
    };
    const auto c = GENERATE(values<Case>({
        {"", 0},
        {"{\"a\": ", 6},
        {"{\"a\": 1} x", 9},
        {"{\"a\" 1}", 5},
        {"[1, 2", 5},
        {"hello", 0},
    }));
    CAPTURE(c.json);
    const auto value = parseJson(c.json);
    REQUIRE_FALSE(value);
    CHECK(value.error().code == ErrorCode::Malformed);
    REQUIRE(value.error().where);
    CHECK(value.error().where->offset == c.offset);
}

TEST_CASE("A NUL byte does not hide what follows it", "[base][json]")
{
    CHECK_FALSE(parseJson(std::string_view("[1]\0[2]", 7)));
}

TEST_CASE("Nesting beyond the limit is refused, however deep", "[base][json]")
{
    CHECK(parseJson(std::string(64, '[') + std::string(64, ']')));
    const auto deep = parseJson(std::string(2'000'000, '['));
    REQUIRE_FALSE(deep);
    CHECK_THAT(deep.error().message, Catch::Matchers::ContainsSubstring("deeper than 64"));
}

TEST_CASE("A document beyond the size limit is refused", "[base][json]")
{
    const auto value = parseJson("[1, 2, 3]", {8, 64});
    REQUIRE_FALSE(value);
    CHECK(value.error().code == ErrorCode::Unsupported);
}
