// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/import/structured/csv_table.h"
#include "tests/unit/import_structured/support.h"

using namespace firstbad::core;
using namespace firstbad::test;

namespace {

SourceData read(std::string_view text, std::string name = "log", const ImportOptions& options = {})
{
    return readTable(text, std::move(name), options);
}

std::string repeated(std::string_view head, const char* const (&rows)[3])
{
    std::string text(head);
    for (const char* const row : rows)
        text += std::string(row) + "\n";
    return text;
}

}  // namespace

TEST_CASE(
    "Delimiters, decimal commas, line ends and byte order marks are found out", "[import][csv]")
{
    const char* const text = GENERATE("step,loss\n1,2.5\n2,0.25\n", "step\tloss\n1\t2.5\n2\t0.25\n",
        "\xEF\xBB\xBFstep;loss\r\n1;2,5\r\n2;0,25\r\n", "step|loss\n1|2.5\n2|0.25\n",
        "\"step\",\"loss\"\n\"1\",\"2.5\"\n\"2\",\"0.25\"\n",
        "# remark\nstep,loss\n1,2.5\n2,0.25\n", "step,loss\n-,nats\n1,2.5\n2,0.25\n",
        "# step,loss\n1,2.5\n2,0.25\n", "loss,step\n2.5,1\n0.25,2\n",
        ",step,loss\n0,1,2.5\n1,2,0.25\n", "step,loss\n1,2.5\n2,0.25");
    CAPTURE(text);
    const SourceData data = read(text);
    REQUIRE(data.columns.size() == 1);
    CHECK(columnOf(data, "loss").steps == Steps{1, 2});
    CHECK(columnOf(data, "loss").values == Values{2.5, 0.25});
    CHECK(data.info.skipped.empty());
}

TEST_CASE("Spellings of missing and non-finite numbers keep apart", "[import][csv]")
{
    const SourceData data
        = read("step,value,loss\n0,1.5,2\n1,NaN,1\n2,nan,1\n3,inf,1\n4,-Infinity,1\n"
               "5,,1\n6,None,1\n7,1e400,1\n8,-nan,1\n9,N/A,1\n10,0x1p-3,1\n"
               "11, 2.25 ,1\n12,--,1\n13,1.#QNAN,1\n14,-nan(ind),1\n");
    const ColumnSummary value = summarise(columnOf(data, "value"));
    CHECK(value.counts == KindCounts{2, 5, 2, 1});
    CHECK(value.missing == 4);
    CHECK(value.sumFinite == 3.75);
    CHECK(value.firstNonfiniteStep == 1);
    REQUIRE(data.info.skipped.size() == 1);
    CHECK(data.info.skipped[0].line == 12);
    CHECK_THAT(data.info.skipped[0].reason, Catch::Matchers::ContainsSubstring("0x1p-3"));
    REQUIRE(data.events.size() == 1);
    CHECK(data.events[0].step == 7);
    CHECK(columnOf(data, "loss").size() == 15);
}

TEST_CASE("Quoted cells may hold delimiters, quotes and line breaks", "[import][csv]")
{
    const SourceData data = read("\"global step\",\"loss, mean\",\"norm \"\"L2\"\"\",note\n"
                                 "1,2.5,0.5,\"a\nb, \"\"c\"\"\"\n2,2.25,0.25,\"\"\n");
    CHECK(columnOf(data, "loss, mean").steps == Steps{1, 2});
    CHECK(columnOf(data, "norm \"L2\"").values == Values{0.5, 0.25});
    CHECK(columnOf(data, "norm \"L2\"").lines == std::vector<std::uint32_t>{2, 4});
    CHECK(find(data, "note") == nullptr);
}

TEST_CASE("Sparse rows with one step: an empty cell is missing, never NaN", "[import][csv]")
{
    const SourceData data
        = read("epoch,step,train_loss,val_loss\r\n0,3,2.5,\r\n0,3,,2.0\r\n1,7,nan,\r\n");
    CHECK(columnOf(data, "train_loss").steps == Steps{3, 7});
    CHECK(columnOf(data, "train_loss").missingSteps == Steps{3});
    CHECK(columnOf(data, "val_loss").missingSteps == Steps{3, 7});
    CHECK(summarise(columnOf(data, "train_loss")).counts.nan == 1);
    CHECK(data.breaks.empty());
}

TEST_CASE("Without a step column rows are counted", "[import][csv]")
{
    CHECK(columnOf(read("loss,lr\n2.5,0.1\n2.4,0.2\n"), "loss").steps == Steps{1, 2});
}

TEST_CASE("An unnamed rising first column is the step", "[import][csv]")
{
    const SourceData data = read(repeated("when,loss\n", {"10,2.5", "20,2.25", "30,2.0"}));
    CHECK(columnOf(data, "loss").steps == Steps{10, 20, 30});
}

TEST_CASE("Clock columns become times", "[import][csv]")
{
    const SourceData data = read("Wall time,Step,Value\n1925734290.5,1,2.5\n1925734291.5,2,2.4\n",
        "run-a-tag-train_loss.csv");
    const Column value = columnOf(data, "Value");
    CHECK(value.timeAt(1) == 1925734291.5);
    CHECK(find(data, "Value")->quantity == Quantity::Loss);
}

TEST_CASE("Bounds of W&B buckets are no losses", "[import][csv]")
{
    const SourceData data = read("\"Step\",\"a - train/loss\",\"a - train/loss__MIN\"\n"
                                 "\"1\",\"\",\"\"\n\"2\",\"2.5\",\"2.5\"\n");
    CHECK(find(data, "a - train/loss")->quantity == Quantity::Loss);
    CHECK(find(data, "a - train/loss__MIN")->quantity == Quantity::Other);
    CHECK(columnOf(data, "a - train/loss").missingSteps == Steps{1});
}

TEST_CASE("DeepSpeed's monitor counts samples", "[import][csv]")
{
    const SourceData data
        = read("step,loss_scale\n32,131072\n64,65536.0\n", "Train_Samples_loss_scale");
    CHECK(find(data, "loss_scale")->axis == StepAxis::Samples);
    CHECK(columnOf(data, "loss_scale").steps == Steps{32, 64});
}

TEST_CASE("The user's names win in tables", "[import][csv]")
{
    ImportOptions options;
    options.nameMap = {{"n", "step"}, {"E", "loss"}};
    const SourceData data = read("step,n,E\n1,70,2.5\n2,80,2.4\n", "log", options);
    CHECK(columnOf(data, "E").steps == Steps{70, 80});
}

TEST_CASE("Damaged rows are named and the rest is read", "[import][csv]")
{
    const SourceData data = read("step,loss,lr\n1,2.5,0.1\n2,2.4\nx,2.3,0.1\n4,2.2,0.1\n5,2");
    CHECK(columnOf(data, "loss").steps == Steps{1, 4});
    REQUIRE(data.info.skipped.size() == 3);
    CHECK(data.info.skipped[0].code == "ragged-row");
    CHECK(data.info.skipped[0].line == 3);
    CHECK(data.info.skipped[1].code == "unreadable-step");
    CHECK(data.info.skipped[2].code == "torn-line");
    CHECK(data.info.skipped[2].mayBeGrowing);
}

TEST_CASE("A header that comes again is a new launch", "[import][csv]")
{
    const SourceData data = read("step,loss\n1,2.5\n2,2.4\nstep,loss\n1,2.5\n");
    CHECK(columnOf(data, "loss").steps == Steps{1, 2, 1});
    REQUIRE_FALSE(data.breaks.empty());
    CHECK(data.breaks[0].certain);
}

TEST_CASE("A quote that is never closed is damage, not a hang", "[import][csv]")
{
    const SourceData data = read("step,loss\n1,2.5\n\"2,2.4\n3,2.3\n");
    CHECK(columnOf(data, "loss").steps == Steps{1});
    REQUIRE(data.info.skipped.size() == 1);
    CHECK(data.info.skipped[0].code == "open-quote");
}
