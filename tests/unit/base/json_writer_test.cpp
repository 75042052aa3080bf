// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/json_writer.h"
#include "tests/support/catch.h"

#include <limits>

using namespace firstbad::core;

TEST_CASE("non-finite numbers are written as strings and missing as null", "[core][base]")
{
    JsonWriter json;
    json.beginArray();
    json.value(std::numeric_limits<double>::quiet_NaN());
    json.value(std::numeric_limits<double>::infinity());
    json.value(-std::numeric_limits<double>::infinity());
    json.value(0.1);
    json.value(std::optional<double>());
    json.endArray();
    CHECK(json.take() == R"(["NaN","Infinity","-Infinity",0.1,null])");
}
