// SPDX-License-Identifier: GPL-3.0-or-later
// Strict reading of the program's JSON: bare NaN and trailing text are failures.
#pragma once

#include "tests/support/catch.h"

#include <rapidjson/document.h>
#include <string>

namespace firstbad::test {

/// The document that a command printed; fails the test unless it is exactly one strict document.
inline rapidjson::Document documentOf(const std::string& text, const std::string& command)
{
    rapidjson::Document document;
    document.Parse(text.c_str(), text.size());
    INFO(text.substr(0, 400));
    REQUIRE_FALSE(document.HasParseError());
    REQUIRE(document.IsObject());
    REQUIRE(document.HasMember("firstbad"));
    CHECK(document["firstbad"].GetInt() == 1);
    REQUIRE(document.HasMember("command"));
    CHECK(document["command"].GetString() == command);
    REQUIRE(document.HasMember("result"));
    REQUIRE(document.HasMember("diagnostics"));
    CHECK(document["diagnostics"].IsArray());
    return document;
}

}  // namespace firstbad::test
