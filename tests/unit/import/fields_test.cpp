// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/import/text/fields.h"

#include "core/base/value_kind.h"
#include "tests/support/catch.h"

#include <string>
#include <vector>

namespace firstbad::core {
namespace {

struct Expected {
    std::string name;
    double number;
};

struct Case {
    const char* line;
    std::vector<Expected> fields;  // the numeric ones, in order
};

}  // namespace

TEST_CASE("A line is split into the pairs that its writer meant", "[import][fields]")
{
    const auto c = GENERATE(values<Case>({
        {"iteration     4321/   50000 | lm loss: 2.5E+00 | loss scale: 32768.0 |",
            {{"iteration", 4321}, {"lm loss", 2.5}, {"loss scale", 32768}}},
        {"step=10, loss=1.5, lr=2e-05", {{"step", 10}, {"loss", 1.5}, {"lr", 2e-5}}},
        {"step: 14  loss:  3.25  tps: 7,282  memory: 9.5GiB(64.99%)",
            {{"step", 14}, {"loss", 3.25}, {"tps", 7282}, {"memory", 9.5}}},
        {"step 1 | loss 3.5 | scale 65536.0", {{"step", 1}, {"loss", 3.5}, {"scale", 65536}}},
        {"iter 250: loss 3.25, time 123.5ms, mfu 12.5%",
            {{"iter", 250}, {"loss", 3.25}, {"time", 123.5}, {"mfu", 12.5}}},
        {"{'loss': 2.5, 'lr': '1e-05', 'a': {'b': 3}}", {{"loss", 2.5}, {"lr", 1e-5}, {"a.b", 3}}},
        {"steps: 30 eta: 0:12:34 time: 2031-02-03 loss: 2.0", {{"steps", 30}, {"loss", 2}}},
        {"val: n/a, x: -1.5", {{"x", -1.5}}},
        {"step=3 tokens=61.4K", {{"step", 3}, {"tokens", 61400}}},
        {"\xE7\xAC\xAC 7 \xE6\xAD\xA5\xEF\xBC\x9A\xE6\x8D\x9F\xE5\xA4\xB1: 3.5\xEF\xBC\x8Cx: 1",
            {{"\xE7\xAC\xAC", 7}, {"\xE6\x8D\x9F\xE5\xA4\xB1", 3.5}, {"x", 1}}},
        {"**step: 5** loss: 2.5", {{"step", 5}, {"loss", 2.5}}},
    }));
    CAPTURE(c.line);
    FieldSplitter splitter;
    std::vector<Expected> found;
    for (const Field& field : splitter.split(c.line)) {
        if (field.isNumber)
            found.push_back({std::string(field.name), field.number});
    }
    REQUIRE(found.size() == c.fields.size());
    for (std::size_t i = 0; i < found.size(); ++i) {
        CHECK(found[i].name == c.fields[i].name);
        CHECK(found[i].number == Approx(c.fields[i].number));
    }
}

TEST_CASE(
    "A second value in parentheses or behind a slash stays with its field", "[import][fields]")
{
    FieldSplitter splitter;
    const auto fields = splitter.split("loss: 2.5 (3.5)  iter 3/10  lr=[1e-3, 2e-3], x=nan");
    REQUIRE(fields.size() == 4);
    CHECK(fields[0].note == "3.5");
    CHECK(fields[1].total == 10);
    CHECK(fields[2].number == 1e-3);
    CHECK(fields[2].value == "[1e-3, 2e-3]");
    CHECK(classify(fields[3].number) == ValueKind::NotANumber);
}

}  // namespace firstbad::core
