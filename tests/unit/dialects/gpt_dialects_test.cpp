// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/import/dialects/build_nanogpt_dialect.h"
#include "core/import/dialects/llmc_dialect.h"
#include "core/import/dialects/nanogpt_dialect.h"
#include "core/import/dialects/torchtitan_dialect.h"
#include "tests/support/catch.h"
#include "tests/unit/dialects/read_lines.h"

using namespace firstbad::core;
using firstbad::core::test::readLines;

TEST_CASE("nanoGPT gives losses and keeps evaluation means apart", "[dialects]")
{
    const auto read = readLines(nanogptDialect(),
        {"step 0: train loss 3.6737, val loss 3.7105",
            "iter 0: loss 3.6737, time 250.39ms, mfu -100.00%", "saving checkpoint to out",
            "iter 10: loss nan, time 1019.95ms, mfu 14.12%", "a line of prose"});

    const Column loss = read.points("loss");
    REQUIRE(loss.size() == 2);
    CHECK(loss.steps == std::vector<std::int64_t>{0, 10});
    CHECK(classify(loss.values[1]) == ValueKind::NotANumber);
    CHECK(read.column("loss")->quantity == Quantity::Loss);
    CHECK(read.column("train loss")->quantity == Quantity::Other);
    CHECK(read.points("val loss").values == std::vector<double>{3.7105});
    CHECK(read.column("time")->unit == "ms");
    REQUIRE(read.events(EventKind::Save).size() == 1);
    CHECK(read.events(EventKind::Save)[0]->step == 0);
    CHECK(read.events(EventKind::Save)[0]->path == "out");
    CHECK(read.verdicts.back() == LineVerdict::NotMine);
}

TEST_CASE("A nanoGPT line cut by the end of the file gives no value", "[dialects]")
{
    struct Case {
        const char* last;
        bool torn;
    };
    const auto c = GENERATE(values<Case>({
        {"iter 100: loss 2.2590, time 247.95ms, mfu 12.30%", false},
        {"iter 100: loss nan, time 247.95ms, mfu 12.30%", false},
        {"iter 100: loss 2.2590, time 247.95ms, mfu 12.30", true},
        {"iter 100: loss 2.2590, time 247.95ms, mfu 12.3", true},
        {"iter 100: loss 2.2590, time 247.95ms", true},
        {"iter 100: loss 2.25", true},
    }));
    CAPTURE(c.last);
    const auto read = readLines(
        nanogptDialect(), {"iter 99: loss 2.2178, time 252.27ms, mfu 12.30%", c.last}, true);

    CHECK(read.points("loss").size() == (c.torn ? 1U : 2U));
    REQUIRE(read.data.info.skipped.size() == (c.torn ? 1U : 0U));
    if (c.torn) {
        CHECK(read.verdicts.back() == LineVerdict::Damaged);
        CHECK(read.data.info.skipped[0].code == "torn-tail");
        CHECK(read.data.info.skipped[0].line == 2);
        CHECK(read.data.info.skipped[0].mayBeGrowing);
    }
}

TEST_CASE("build-nanogpt lines carry a step, a word and a number", "[dialects]")
{
    const auto read = readLines(buildNanogptDialect(),
        {"0 val 10.9511", "0 hella 0.2463", "0 train 10.955029", "1 train nan"});
    CHECK(read.points("train").size() == 2);
    CHECK(read.column("train")->quantity == Quantity::Loss);
    CHECK(read.column("val")->quantity == Quantity::Other);
    CHECK(read.points("hella").values == std::vector<double>{0.2463});
}

TEST_CASE("llm.c console gives loss and norm, never z-scores", "[dialects]")
{
    const auto read = readLines(llmcConsoleDialect(),
        {"step    1/320 | loss 3.568590 (+nanz)| norm 0.6206 (+nanz)| lr 1.50e-04 | 246.16 ms | "
         "50.1% bf16 MFU | 520 tok/s",
            "step    2/320 | loss inf (+0.12z)| norm nan (-0.34z)| lr 3.00e-04 | 245.70 ms | 50.1% "
            "bf16 MFU | 170,000 tok/s",
            "val loss 1.735207"});

    CHECK(read.points("loss").values[0] == 3.56859);
    CHECK(classify(read.points("loss").values[1]) == ValueKind::PlusInfinity);
    CHECK(classify(read.points("norm").values[1]) == ValueKind::NotANumber);
    CHECK(read.column("norm")->quantity == Quantity::GradNorm);
    CHECK(read.points("tok/s").values == std::vector<double>{520, 170000});
    CHECK(read.column("tok/s")->quantity == Quantity::Throughput);
    CHECK(read.points("lr").values == std::vector<double>{1.5e-4, 3e-4});
    CHECK(read.points("val loss").steps == std::vector<std::int64_t>{2});
    CHECK(read.column("val loss")->quantity == Quantity::Other);
}

TEST_CASE("llm.c main.log reads training, test and HellaSwag lines", "[dialects]")
{
    const auto read = readLines(llmcMainDialect(),
        {"s:0 tel:11.0095", "s:0 trl:11.0116 lr:0.000001 norm:14.96", "s:1 trl:10.965596",
            "s:250 eval:0.2654", "s:251 trl:nan lr:0.000600 norm:inf"});
    CHECK(read.points("trl").steps == std::vector<std::int64_t>{0, 1, 251});
    CHECK(read.column("trl")->quantity == Quantity::Loss);
    CHECK(read.column("tel")->quantity == Quantity::Other);
    CHECK(read.points("norm").size() == 2);
    CHECK(read.points("eval").values == std::vector<double>{0.2654});
}

TEST_CASE("torchtitan reads spaced fields with thousands separators", "[dialects]")
{
    const auto read = readLines(torchtitanDialect(),
        {"step: 14  loss:  3.24405  grad_norm:  0.8319  memory:  9.46GiB(64.99%)  tps: 7,282  "
         "tflops: 0.52  mfu: 0.17%",
            "step: 15  loss:  nan  grad_norm:  nan  memory:  9.46GiB(64.99%)  tps: 12,307,282  "
            "tflops: 0.52  mfu: 0.17%",
            "validate step: 15  loss:  3.1  memory:  9.46GiB(64.99%)  tps: 7,282"});
    CHECK(read.points("loss").steps == std::vector<std::int64_t>{14, 15});
    CHECK(read.points("tps").values == std::vector<double>{7282, 12307282});
    CHECK(read.points("memory").values[0] == 9.46);
    CHECK(read.column("tps")->quantity == Quantity::Throughput);
    CHECK(read.points("validate loss").values == std::vector<double>{3.1});
    CHECK(read.column("validate loss")->quantity == Quantity::Other);
}

TEST_CASE("Steps that go back are noted as a possible restart", "[dialects]")
{
    const auto read = readLines(
        llmcMainDialect(), {"s:10 trl:3.1 lr:0.1", "s:11 trl:3.0 lr:0.1", "s:5 trl:3.2 lr:0.1"});
    REQUIRE(read.data.breaks.size() == 1);
    CHECK(read.data.breaks[0].step == 5);
}
