// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/import/source_excerpt.h"
#include "tests/support/catch.h"
#include "tests/support/temp_folder.h"

#include <stop_token>

using namespace firstbad;

namespace {

std::string numberedLines(int count)
{
    std::string text;
    for (int i = 1; i <= count; ++i)
        text += "line " + std::to_string(i) + "\n";
    return text;
}

}  // namespace

TEST_CASE("an excerpt is the lines around one line, numbered", "[import]")
{
    const test::TempFolder folder;
    const auto path = folder.write("a.log", numberedLines(5000));
    core::JobContext job;
    const auto middle = core::readExcerpt(path, 2500, 2, 3, job);
    REQUIRE(middle);
    REQUIRE(middle->lines.size() == 6);
    CHECK(middle->lines.front().number == 2498);
    CHECK(middle->lines.front().text == "line 2498");
    CHECK_FALSE(middle->reachesEnd);
    const auto end = core::readExcerpt(path, 5000, 1, 10, job);
    REQUIRE(end);
    CHECK(end->lines.size() == 2);
    CHECK(end->reachesEnd);
}

TEST_CASE("control characters of a source are shown, not obeyed", "[import]")
{
    const test::TempFolder folder;
    const auto path = folder.write("a.log", "red \x07 bell\n");
    core::JobContext job;
    const auto excerpt = core::readExcerpt(path, 1, 0, 0, job);
    REQUIRE(excerpt);
    CHECK_THAT(excerpt->lines.at(0).text, Catch::Contains("\\x07"));
}

TEST_CASE("what has no text to show is an error with a sentence", "[import]")
{
    core::JobContext job;
    const auto archive = core::readExcerpt("run.zip!train.log", 1, 1, 1, job);
    REQUIRE_FALSE(archive);
    CHECK(archive.error().code == core::ErrorCode::Unsupported);
    CHECK_FALSE(core::readExcerpt("no/such/file.log", 1, 1, 1, job));
}
