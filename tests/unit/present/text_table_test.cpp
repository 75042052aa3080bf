// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/present/text/text_table.h"

#include "core/present/text/line_builder.h"
#include "core/present/text/text_width.h"
#include "tests/support/catch.h"

using namespace firstbad::core;

namespace {

const TextStyle kPlain{Palette::None, true, 40};

TextTable nameTable()
{
    return TextTable({{"name", TextTable::Align::Left, true}, {"points", TextTable::Align::Right}});
}

}  // namespace

TEST_CASE("a table aligns numbers right and names left", "[present]")
{
    TextTable table = nameTable();
    table.addRow({{"loss", Role::Plain}, {"1,200", Role::Plain}});
    table.addRow({{"损失", Role::Plain}, {"7", Role::Plain}});
    CHECK(render(table.lines(kPlain), kPlain)
        == "name  points\n"
           "loss   1,200\n"
           "损失       7\n");
}

TEST_CASE("a table that is too wide cuts the flexible column", "[present]")
{
    TextTable table = nameTable();
    table.addRow({{std::string(100, 'a') + "/train.log", Role::Plain}, {"12", Role::Plain}});
    for (const StyledLine& line : table.lines(kPlain))
        CHECK(displayWidth(plainText(line)) <= 40);
    CHECK(plainText(table.lines(kPlain).at(1)).find("/train.log") != std::string::npos);
}

TEST_CASE("escape sequences from files never reach the terminal", "[present]")
{
    TextTable table = nameTable();
    table.addRow({{"\x1b[2Jloss\x07", Role::Plain}, {"1", Role::Plain}});
    const std::string text = render(table.lines(kPlain), kPlain);
    CHECK(text.find('\x1b') == std::string::npos);
    CHECK(text.find('\x07') == std::string::npos);
    LineBuilder line(kPlain);
    line.addFromFile("a\x1b]0;title\x07z");
    CHECK(plainText(line.take()) == "a\\x1B]0;title\\x07z");
}

TEST_CASE("colour is added only with a palette and never changes the words", "[present]")
{
    const StyledText text{{{"!", Role::Fault}, {" 1", Role::Strong}}};
    CHECK(render(text, {Palette::None, true, 80}) == "! 1\n");
    for (const Palette palette : {Palette::Dark, Palette::Light, Palette::Basic}) {
        std::string coloured = render(text, {palette, true, 80});
        CHECK(coloured.find('\x1b') != std::string::npos);
        while (coloured.find('\x1b') != std::string::npos) {
            const std::size_t at = coloured.find('\x1b');
            coloured.erase(at, coloured.find('m', at) - at + 1);
        }
        CHECK(coloured == "! 1\n");
    }
}

TEST_CASE("without Unicode firstbad's own marks become ASCII and other letters '?'", "[present]")
{
    const TextStyle ascii{Palette::None, false, 80};
    CHECK(showable("65,536 → 128 · 1–9 × ○", ascii) == "65,536 -> 128 - 1-9 x o");
    CHECK(showable("损失", ascii) == "??");
}

TEST_CASE("the glyph table has every mark at its own place", "[present]")
{
    for (int i = 0; i <= static_cast<int>(Mark::Event); ++i) {
        const Glyph& glyph = glyphOf(static_cast<Mark>(i));
        CHECK(static_cast<int>(glyph.mark) == i);
        CHECK(displayWidth(glyph.unicode) == 1);
        CHECK(glyph.ascii.size() == 1);
    }
}
