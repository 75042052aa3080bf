// SPDX-License-Identifier: GPL-3.0-or-later
// The block map and the texts of replay as they look in a terminal.
#include "core/present/text/block_map_text.h"
#include "core/present/text/counterfactual_text.h"
#include "core/present/text/replay_text.h"
#include "core/present/text/text_width.h"
#include "tests/support/catch.h"
#include "tests/support/golden.h"
#include "tests/support/replay_example.h"

#include <sstream>

using namespace firstbad::core;
using namespace firstbad::test;

namespace {

const TextStyle kPlain{Palette::None, true, 80};

std::string mapText(std::int64_t blocks, std::int64_t badBlock, const TextStyle& style)
{
    const auto result = exampleSweep("glm", blocks, badBlock);
    return render(blockMapText(makeBlockMap(result), shortLocus(*result.firstBad), style), style);
}

void checkWidth(const std::string& text, int columns)
{
    std::istringstream lines(text);
    for (std::string line; std::getline(lines, line);)
        CHECK(displayWidth(line) <= columns);
}

}  // namespace

TEST_CASE("the map of 4, 69 and 120 blocks fits 80 columns", "[golden][replay]")
{
    const std::string text = mapText(4, 1, kPlain) + "\n" + mapText(69, 41, kPlain) + "\n"
        + mapText(120, 3, kPlain) + "\n" + mapText(120, 118, kPlain);
    checkWidth(text, 80);
    checkGolden("tests/golden/replay/block_maps.txt", text);
}

TEST_CASE("a terminal without Unicode gets another glyph for each state", "[golden][replay]")
{
    const std::string text = mapText(12, 5, {Palette::None, false, 80});
    for (const char letter : text)
        CHECK(static_cast<unsigned char>(letter) < 0x80);
    checkGolden("tests/golden/replay/block_map_ascii.txt", text);
}

TEST_CASE("a sweep's text names certificate, place, element and operands", "[golden][replay]")
{
    auto result = exampleSweep("gpt2", 4, 1);
    result.steps = {{"head", "bad", 4, "NaN 10"}, {"blocks.1", "bad", 2, "NaN 10"},
        {"blocks.0", "good", 1, "max 2.5"}};
    result.findings = {{"near-limit", "warning", "forward", 2, "mlp.out", 0, 3, 65000.0, 65504.0,
        "99 % of the largest fp16 value"}};
    const std::string text = render(replayText(result, {}, {true, true}, kPlain), kPlain);
    checkWidth(text, 80);
    checkGolden("tests/golden/replay/sweep.txt", text);
}

TEST_CASE("a clean step says so", "[golden][replay]")
{
    ReplayResult clean = exampleSweep("gpt2", 2, 9);
    clean.firstBad.reset();
    clean.verdictKind = "none";
    clean.verdictClass = "benign";
    clean.verdictWhy = "every value is finite";
    checkGolden("tests/golden/replay/clean.txt",
        render(replayText(clean, {}, {true, false}, kPlain), kPlain));
}

TEST_CASE("matrix and isolate are tables", "[golden][replay]")
{
    MatrixResult matrix;
    matrix.cells = {{"precision", "fp16", "fp16", true, "yes", examplePlace(1), {}, {}},
        {"precision", "fp32", "fp32", false, "no", {}, {}, 7.5}};
    matrix.fp32Blocks = {1};
    IsolateResult isolate;
    isolate.minimalSets = {{1}, {0, 2}};
    isolate.alone = {{0, std::nullopt}, {1, examplePlace(1)}};
    isolate.sampleIds = {"73722"};
    checkGolden("tests/golden/replay/counterfactuals.txt",
        render(matrixText(matrix, kPlain), kPlain) + "\n"
            + render(isolateText(isolate, kPlain), kPlain));
}
