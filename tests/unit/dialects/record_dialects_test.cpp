// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/import/dialects/composer_dialect.h"
#include "core/import/dialects/dllogger_dialect.h"
#include "core/import/dialects/lightning_dialect.h"
#include "core/import/dialects/metriclogger_dialect.h"
#include "core/import/dialects/mllog_dialect.h"
#include "core/import/dialects/nemo_dialect.h"
#include "core/import/dialects/olmo_dialect.h"
#include "core/import/dialects/rwkv_dialect.h"
#include "tests/support/catch.h"
#include "tests/unit/dialects/read_lines.h"

using namespace firstbad::core;
using firstbad::core::test::readLines;
using firstbad::core::test::readTextLines;

TEST_CASE("OLMo-core records are a marker and one value a line", "[dialects]")
{
    const auto read = readLines(olmoDialect(),
        {"node-a07:0\tolmo_core.train.callbacks.console_logger:89\tINFO\t[step=1/220,epoch=1,eta="
         "54s]",
            "    optim/total grad norm=0.7123", "    optim/step skipped=0.00E+00",
            "    optim/LR (group 0)=0.0002", "    throughput/total tokens=1,048,576,000",
            "    train/CE loss=nan", "[step=2/220,epoch=1]", "train/CE loss=3.664",
            "something else", "train/CE loss=9.9"});

    CHECK(read.points("train/CE loss").steps == std::vector<std::int64_t>{1, 2});
    CHECK(classify(read.points("train/CE loss").values[0]) == ValueKind::NotANumber);
    CHECK(read.column("train/CE loss")->quantity == Quantity::Loss);
    CHECK(read.column("optim/total grad norm")->quantity == Quantity::GradNorm);
    CHECK(read.column("optim/step skipped")->quantity == Quantity::Skipped);
    CHECK(read.column("optim/LR (group 0)")->quantity == Quantity::LearningRate);
    CHECK(read.points("throughput/total tokens").values == std::vector<double>{1048576000});
    CHECK(read.verdicts.back() == LineVerdict::NotMine);
    CHECK(read.data.info.records == 2);
}

TEST_CASE("The last value of an OLMo log may be cut", "[dialects]")
{
    struct Case {
        const char* last;
        bool torn;
    };
    const auto c = GENERATE(values<Case>({
        {"    train/CE loss=1.765", false},
        {"    train/CE loss=1.7", true},
        {"    train/CE lo", true},
    }));
    CAPTURE(c.last);
    const auto read = readLines(olmoDialect(),
        {"[step=1/220,epoch=1]", "    train/CE loss=3.652", "[step=2/220,epoch=1]", c.last}, true);
    CHECK(read.points("train/CE loss").size() == (c.torn ? 1U : 2U));
    CHECK(read.data.info.skipped.size() == (c.torn ? 1U : 0U));
}

TEST_CASE("Composer records follow a batch marker", "[dialects]")
{
    const auto read = readLines(composerDialect(),
        {"[batch=250/3200]:", "\t Train time/batch: 249", "\t Train loss/train/total: 2.3451",
            "\t Train throughput/tokens_per_sec: 12345.6"});
    CHECK(read.points("loss/train/total").steps == std::vector<std::int64_t>{250});
    CHECK(read.column("loss/train/total")->quantity == Quantity::Loss);
    CHECK(read.points("time/batch").values == std::vector<double>{249});
}

TEST_CASE("MetricLogger keeps value and running mean", "[dialects]")
{
    const auto read = readLines(metricloggerDialect(),
        {"Epoch: [0]  [ 109/110]  eta: 0:00:27  lr: 0.000150  loss: 3.6519 (3.7)  max mem: 1915",
            "Epoch: [1]  [   0/110]  eta: 0:00:27  lr: 0.000150  loss: nan (nan)  max mem: 1915",
            "Test:  [ 0/10]  eta: 0:00:01  loss: 0.5 (0.5)",
            "Epoch: [0] Total time: 0:27:40 (0.3 s / it)"});
    CHECK(read.points("loss").steps == std::vector<std::int64_t>{109, 110});
    CHECK(classify(read.points("loss").values[1]) == ValueKind::NotANumber);
    REQUIRE(read.column("loss (running mean)") != nullptr);
    CHECK(read.column("loss (running mean)")->isRunningMean);
    CHECK(read.column("loss (running mean)")->quantity == Quantity::Other);
    CHECK(read.points("loss (running mean)").values[0] == 3.7);
    CHECK(read.column("Test loss")->quantity == Quantity::Other);
    CHECK(read.verdicts.back() == LineVerdict::NotMine);
    CHECK(read.data.breaks.empty());

    const auto rcnn = readLines(metricloggerDialect(),
        {"eta: 1:02:03  iter: 10400  loss: 0.6885 (0.8383)  time: 0.0640 (0.0688)  lr: 0.02"});
    CHECK(rcnn.points("loss").steps == std::vector<std::int64_t>{10400});
}

TEST_CASE("MLPerf values have the step of their metadata", "[dialects]")
{
    const auto read = readLines(mllogDialect(),
        {R"(:::MLLOG {"time_ms": 1700000000000, "event_type": "POINT_IN_TIME", "key": "global_batch_size", "value": 8, "metadata": {"file": "t.py"}})",
            R"(:::MLLOG {"time_ms": 1700000000000, "event_type": "POINT_IN_TIME", "key": "global_batch_size", "value": 8, "metadata": {"file": "t.py"}})",
            R"(:::MLLOG {"time_ms": 1700000000500, "event_type": "INTERVAL_START", "key": "run_start", "value": null, "metadata": {"file": "t.py"}})",
            R"(:::MLLOG {"time_ms": 1700000000500, "event_type": "INTERVAL_START", "key": "run_start", "value": null, "metadata": {"file": "t.py"}})",
            R"(:::MLLOG {"time_ms": 1700000001000, "event_type": "POINT_IN_TIME", "key": "train_loss", "value": NaN, "metadata": {"lineno": 210, "step_num": 200}})",
            R"(:::MLLOG {"time_ms": 1700000002000, "event_type": "POINT_IN_TIME", "key": "tracked_stats", "value": {"throughput": 31.5, "grad_norm": Infinity}, "metadata": {"step_num": 200}})",
            R"(:::MLLOG {"time_ms": 1700000003000, "event_type": "POINT_IN_TIME", "key": "eval_accuracy", "value": 2.5, "metadata": {"epoch_num": 3}})",
            R"(:::MLLOG {"time_ms": 1700000004000, "event_type": "INTERVAL_END", "key": "run_stop", "value": null, "metadata": {"status": "aborted"}})",
            R"(:::MLLOG {"time_ms": 1700000004000, "event_type": "INTER)"},
        true);

    CHECK(classify(read.points("train_loss").values.at(0)) == ValueKind::NotANumber);
    CHECK(read.column("train_loss")->quantity == Quantity::Loss);
    CHECK(read.points("train_loss").times.at(0) == 1700000001.0);
    CHECK(read.column("tracked_stats.throughput")->quantity == Quantity::Throughput);
    CHECK(read.column("tracked_stats.grad_norm")->quantity == Quantity::GradNorm);
    CHECK(read.points("eval_accuracy").steps == std::vector<std::int64_t>{3});
    CHECK(read.data.breaks.empty());
    CHECK(read.events(EventKind::RunStart).size() == 1);
    CHECK(read.events(EventKind::Aborted).size() == 1);
    REQUIRE(read.events(EventKind::ConfigValue).size() == 1);
    CHECK(read.events(EventKind::ConfigValue)[0]->path == "8");
    CHECK(read.verdicts.back() == LineVerdict::Damaged);
}

TEST_CASE("DLLogger steps count over epochs", "[dialects]")
{
    const auto read = readLines(dlllDialect(),
        {R"(DLLL {"timestamp": "1700000000.5", "type": "LOG", "step": "PARAMETER", "data": {"lr": 0.004}})",
            R"(DLLL {"timestamp": "1700000000.5", "type": "LOG", "step": [2, 10, 362], "data": {"train_loss": 1392.0, "train_lrate": 1.7e-05}})",
            R"(DLLL {"timestamp": "1700000001.5", "type": "LOG", "step": [2], "data": {"dev_wer": 0.9}})",
            R"(DLLL {"timestamp": "1700000001.5", "type": "METADATA", "metric": "x", "metadata": {"name": "lrate"}})"});
    CHECK(read.points("train_loss").steps == std::vector<std::int64_t>{372});
    CHECK(read.points("train_loss").times.at(0) == 1700000000.5);
    CHECK(read.column("train_lrate")->quantity == Quantity::LearningRate);
    CHECK(read.points("dev_wer").steps == std::vector<std::int64_t>{724});
    CHECK(read.events(EventKind::ConfigValue).size() == 1);
}

TEST_CASE("DLLogger text has blanks before its colons", "[dialects]")
{
    const auto read = readLines(dllTextDialect(),
        {"DLL 2020-05-29 11:31:45.763470 - Training Epoch: 0 Training Iteration: 1787  "
         "average_loss : 2.354  step_loss : 3.146484375  learning_rate : 0.00536 ",
            "DLL 2020-05-29 11:31:45.763713 - PARAMETER checkpoint_step : 1787 ",
            "DLL 2020-05-29 11:41:45.763470 - Training Epoch: 0 Training Iteration: 1887  "
            "average_loss : 2.354  step_loss : 3.1  learning_rate : 0."},
        true);
    CHECK(read.points("step_loss").steps == std::vector<std::int64_t>{1787});
    CHECK(read.points("step_loss").times.at(0) == Approx(1590751905.76347));
    CHECK(read.column("step_loss")->quantity == Quantity::Loss);
    CHECK(read.column("average_loss")->isRunningMean);
    REQUIRE(read.events(EventKind::Save).size() == 1);
    CHECK(read.events(EventKind::Save)[0]->step == 1787);
    CHECK(read.verdicts.back() == LineVerdict::Damaged);
}

TEST_CASE("RWKV rows have no names and a new run is a break", "[dialects]")
{
    const auto read = readLines(rwkvDialect(),
        {"NEW RUN 2031-02-03-04-05-06", "{'n_layer': 12}",
            "0 2.345678 10.4400 0.00060000 2031-02-03 04:05:06.123456 0",
            "1 nan nan 0.00060000 2031-02-03 05:05:06.123456 1",
            "2 2.345678 10.4400 0.00060000 2031-02-03 06:0"},
        true);
    CHECK(read.points("loss").steps == std::vector<std::int64_t>{0, 1});
    CHECK(classify(read.points("loss").values[1]) == ValueKind::NotANumber);
    CHECK(read.column("lr")->quantity == Quantity::LearningRate);
    CHECK(read.data.breaks.size() == 1);
    CHECK(read.verdicts[1] == LineVerdict::NotMine);
    CHECK(read.points("loss").size() == 2);
}

TEST_CASE("Bars give one record a step, the last drawing of it", "[dialects]")
{
    std::vector<TextLine> lines(4);
    const std::vector<std::string_view> raws{"Epoch 1:  25%|##  | 4/16 [00:00<00:01]",
        "Epoch 1:  50%|##  | 8/16 [00:00<00:01]", "Epoch 1:  50%|##  | 8/16 [00:00<00:01]",
        "Sanity Checking DataLoader 0:   0%|  | 0/2"};
    const std::vector<std::string_view> texts{"v_num=0, train/loss_step=0.571",
        "v_num=0, train/loss_step=0.571", "v_num=0, train/loss_step=nan", ""};
    for (std::size_t i = 0; i < lines.size(); ++i) {
        lines[i].raw = raws[i];
        lines[i].text = texts[i];
        lines[i].barOnly = true;
        lines[i].barStep = i == 0 ? 4 : 8;
        lines[i].barTotal = 16;
    }
    const auto read = readTextLines(lightningDialect(), lines);
    const Column loss = read.points("train/loss_step");
    REQUIRE(loss.size() == 2);
    CHECK(loss.steps == std::vector<std::int64_t>{20, 24});
    CHECK(classify(loss.values[1]) == ValueKind::NotANumber);
    CHECK(read.column("train/loss_step")->quantity == Quantity::Loss);
}

TEST_CASE("NeMo bars carry their global step", "[dialects]")
{
    const auto read = readLines(nemoDialect(),
        {"v_num=3-21, reduced_train_loss=2.340, global_step=119.0, consumed_samples=30720.0, "
         "train_step_timing in s=1.230, grad_norm=0.56"});
    CHECK(read.points("reduced_train_loss").steps == std::vector<std::int64_t>{119});
    CHECK(read.points("train_step_timing in s").values == std::vector<double>{1.23});
    CHECK(read.column("consumed_samples")->quantity == Quantity::Samples);
    CHECK(read.column("v_num") == nullptr);
}
