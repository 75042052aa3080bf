// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/import/dialects/fairseq_dialect.h"
#include "tests/support/catch.h"
#include "tests/unit/dialects/read_lines.h"

using namespace firstbad::core;
using firstbad::core::test::readLines;

namespace {

constexpr std::string_view kInner
    = "epoch 001:    200 / 1374 loss=9.876, ppl=1234.56, wps=50000, ups=0.4, num_updates=190, "
      "lr=4.8e-06, gnorm=2.345, clip=0.000, loss_scale=0.062, wall=1061";

}  // namespace

TEST_CASE("fairseq progress lines use num_updates as their clock", "[dialects]")
{
    const auto* const prefix
        = GENERATE(as<const char*>{}, "", "| ", "2031-02-03 04:05:06 | INFO | train_inner | ");
    const std::string line = prefix + std::string(kInner);
    CAPTURE(line);
    const auto read = readLines(fairseqDialect(), {line});

    CHECK(read.points("loss").steps == std::vector<std::int64_t>{190});
    CHECK(read.points("gnorm").values == std::vector<double>{2.345});
    CHECK(read.column("gnorm")->quantity == Quantity::GradNorm);
    CHECK(read.column("loss_scale")->quantity == Quantity::LossScale);
    CHECK(read.column("wps")->quantity == Quantity::Throughput);
    CHECK(read.column("num_updates") == nullptr);
    CHECK(read.data.traits.scaleIsRounded);
}

TEST_CASE("fairseq JSON numbers are strings", "[dialects]")
{
    const auto read = readLines(fairseqJsonDialect(),
        {R"({"epoch": 1, "update": 0.416, "loss": "9.276", "num_updates": "200", "lr": "3.1e-06", "gnorm": "nan", "loss_scale": "1.04858e+06", "wall": "73"})",
            R"({"epoch": 1, "valid_loss": "6.389", "valid_num_updates": "479"})",
            R"({"epoch": 1, "train_loss": "7.864", "train_num_updates": "479", "train_gnorm": "1.0"})"});

    CHECK(read.points("loss").values == std::vector<double>{9.276});
    CHECK(classify(read.points("gnorm").values[0]) == ValueKind::NotANumber);
    CHECK(read.points("loss_scale").values == std::vector<double>{1048580});
    CHECK(read.points("valid_loss").steps == std::vector<std::int64_t>{479});
    CHECK(read.column("valid_loss")->quantity == Quantity::Other);
    CHECK(read.column("train_loss")->quantity == Quantity::Other);
    CHECK(read.column("train_gnorm")->quantity == Quantity::Other);
}

TEST_CASE("A fairseq JSON record cut in the middle gives nothing", "[dialects]")
{
    const auto read = readLines(fairseqJsonDialect(),
        {R"({"epoch": 1, "loss": "15.864", "num_updates": "2", "gnorm": "16.783", "wall": "75"})",
            R"({"epoch": 1, "loss": "15.713", "ppl": "53697.8", "wpb": "1.04858e+06", )"},
        true);
    CHECK(read.points("loss").size() == 1);
    REQUIRE(read.data.info.skipped.size() == 1);
    CHECK(read.data.info.skipped[0].code == "torn-tail");
}

TEST_CASE("Epoch means stand beside the values of an interval", "[dialects]")
{
    const std::string_view epochEnd
        = "| epoch 027 | loss 6.343 | ppl 31.65 | num_updates 10198 | gnorm 0.390 | clip 0%";
    const std::string_view valid
        = "| epoch 027 | valid on 'valid' subset | valid_loss 8.30118 | num_updates 10198";

    SECTION("a log of epochs only: they are the training loss")
    {
        const auto read = readLines(fairseqDialect(), {epochEnd, valid});
        CHECK(read.points("loss (epoch)").steps == std::vector<std::int64_t>{10198});
        CHECK(read.column("loss (epoch)")->quantity == Quantity::Loss);
        CHECK(read.points("valid_loss").values == std::vector<double>{8.30118});
        CHECK(read.column("valid_loss")->quantity == Quantity::Other);
    }
    SECTION("with finer records they are not")
    {
        const auto read = readLines(fairseqDialect(), {kInner, epochEnd});
        CHECK(read.points("loss").size() == 1);
        CHECK(read.column("loss")->quantity == Quantity::Loss);
        CHECK(read.column("loss (epoch)")->quantity == Quantity::Other);
    }
}

TEST_CASE("fairseq overflow notes carry the scale after the skip", "[dialects]")
{
    struct Case {
        const char* text;
        double after;
    };
    const auto c = GENERATE(values<Case>({
        {"NOTE: gradient overflow detected, ignoring gradient, setting loss scale to: 64.0", 64},
        {"2031-02-03 04:05:06 | INFO | fairseq.trainer | NOTE: overflow detected, setting loss "
         "scale to: 0.00048828125",
            0.00048828125},
        {"| WARNING: overflow detected, setting loss scale to: 0.25", 0.25},
    }));
    CAPTURE(c.text);
    const auto read = readLines(fairseqDialect(), {kInner, c.text});
    const auto found = read.events(EventKind::Overflow);
    REQUIRE(found.size() == 1);
    CHECK(found[0]->after == c.after);
    CHECK(found[0]->step == 190);
    CHECK_FALSE(found[0]->before.has_value());
}

TEST_CASE("The loss-scale floor of fairseq is an abort that others may read too", "[dialects]")
{
    const auto read = readLines(fairseqDialect(),
        {kInner,
            "FloatingPointError: Minimum loss scale reached (0.0001). Your loss is probably "
            "exploding."});
    CHECK(read.events(EventKind::Aborted).size() == 1);
    CHECK(read.verdicts.back() == LineVerdict::NotMine);
}

TEST_CASE("fairseq checkpoints name their update and path", "[dialects]")
{
    const auto read = readLines(fairseqDialect(),
        {kInner,
            "| saved checkpoint ./c/checkpoint28.pt (epoch 28 @ 9165 updates) (writing took 7.2 "
            "seconds)",
            "| loaded checkpoint ./c/checkpoint_last.pt (epoch 28 @ 9165 updates)"});
    REQUIRE(read.events(EventKind::Save).size() == 1);
    CHECK(read.events(EventKind::Save)[0]->step == 9165);
    CHECK(read.events(EventKind::Save)[0]->path == "./c/checkpoint28.pt");
    REQUIRE(read.events(EventKind::Load).size() == 1);
    REQUIRE(read.data.breaks.size() == 1);
    CHECK(read.data.breaks[0].certain);
}
