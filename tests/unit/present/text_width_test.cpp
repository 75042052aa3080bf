// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/present/text/text_width.h"
#include "tests/support/catch.h"

using namespace firstbad::core;

TEST_CASE("displayWidth counts terminal columns, not bytes", "[present]")
{
    CHECK(displayWidth("loss") == 4);
    CHECK(displayWidth("损失") == 4);
    CHECK(displayWidth("a\u0301") == 1);
    CHECK(displayWidth("—×░") == 3);
    CHECK(displayWidth("\xFF") == 1);
}

TEST_CASE("cutToWidth never splits a letter and says that it cut", "[present]")
{
    CHECK(cutToWidth("loss", 4) == "loss");
    CHECK(cutToWidth("losses", 4) == "los…");
    CHECK(cutToWidth("损失曲线", 5) == "损失…");
    CHECK(cutToWidth("损失曲线", 4) == "损…");
    CHECK(cutFrontToWidth("runs/a/train.log", 10) == "…train.log");
}

TEST_CASE("wrapped breaks at blanks, and between wide letters", "[present]")
{
    CHECK(wrapped("the scale fell to its floor", 12)
        == std::vector<std::string>{"the scale", "fell to its", "floor"});
    CHECK(wrapped("损失尖峰没有恢复", 6) == std::vector<std::string>{"损失尖", "峰没有", "恢复"});
    CHECK(wrapped("abcdefgh", 3) == std::vector<std::string>{"abc", "def", "gh"});
    CHECK(wrapped("", 3) == std::vector<std::string>{""});
    for (const std::string& line : wrapped("loss 损失尖峰 at step 12 恢复 again and again", 9))
        CHECK(displayWidth(line) <= 9);
}
