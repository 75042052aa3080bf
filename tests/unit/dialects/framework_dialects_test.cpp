// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/import/dialects/litgpt_dialect.h"
#include "core/import/dialects/maxtext_dialect.h"
#include "core/import/dialects/mlx_dialect.h"
#include "core/import/dialects/mmengine_dialect.h"
#include "core/import/dialects/modded_nanogpt_dialect.h"
#include "core/import/dialects/nanochat_dialect.h"
#include "core/import/dialects/nanotron_dialect.h"
#include "core/import/dialects/nemo_dialect.h"
#include "core/import/dialects/paddle_dialect.h"
#include "core/import/dialects/torchtune_dialect.h"
#include "core/import/dialects/word_lm_dialect.h"
#include "tests/support/catch.h"
#include "tests/unit/dialects/read_lines.h"

using namespace firstbad::core;
using firstbad::core::test::readLines;

TEST_CASE("One-line dialects find step, name, value and quantity", "[dialects]")
{
    struct Case {
        LineDialect (*dialect)() noexcept;
        const char* line;
        std::int64_t step;
        const char* name;
        double value;
        Quantity quantity;
    };
    constexpr const char* kNanochat
        = "step 00250/21400 (1.17%) | loss: 3.210123 | lrm: 1.00 | dt: 320.11ms | tok/sec: "
          "1,638,400 | mfu: 47.1 | total time: 1.33m";
    constexpr const char* kLitgpt
        = "Epoch 1 | iter 250 step 62 | loss train: 3.210, val: n/a | iter time: 210.12 ms (step) "
          "remaining time: 1 day, 2:03:04";
    constexpr const char* kNanotron
        = "02/03/2031 04:05:06 [INFO|DP=0|PP=1|TP=0|host1]: iteration: 15 / 1000 | "
          "consumed_tokens: 61.4K | tokens_per_sec: 33.3K | lm_loss: 8.76 | lr: 0.00015 | "
          "grad_norm: 2.34 | hd_used_memory_tb: 952G";
    constexpr const char* kMaxtext
        = "completed step: 250, seconds: 1.234, TFLOP/s/device: 120.456, Tokens/s/device: "
          "3456.789, total_weights: 65536, loss: 3.210";
    constexpr const char* kMlx
        = "Iter 250: Train loss 1.234, Learning Rate 1.000e-05, It/sec 1.5, Tokens/sec 345.678, "
          "Trained Tokens 123456, Peak mem 12.345 GB";
    constexpr const char* kMmengine
        = "Iter(train) [ 510/2046]  lr: 1.7590e-04  eta: 1:25:37  time: 2.5  data_time: 0.01  "
          "memory: 12345  loss: 0.6919  grad_norm: 1.5";
    constexpr const char* kMmcv
        = "Epoch [2][50/7330]\tlr: 2.000e-03, eta: 1 day, 2:03:04, time: 0.7, loss: 1.25";
    constexpr const char* kPaddle
        = "loss: 3.2101, learning_rate: 2.9e-05, global_step: 10, interval_runtime: 2.2, "
          "interval_samples_per_second: 3.5, epoch: 0.02";
    constexpr const char* kWordLm
        = "| epoch   2 |   200/ 2983 batches | lr 20.0000 | ms/batch 11.61 | loss  5.61 | ppl   "
          "273.14";
    constexpr const char* kNemo
        = "Training epoch 0, iteration 119/999 | lr: 1e-05 | global_batch_size: 256 | "
          "global_step: 2119 | reduced_train_loss: 2.34 | train_step_timing in s: 1.2 | "
          "consumed_samples: 30720";
    const auto c = GENERATE_COPY(values<Case>({
        {&nanochatDialect, kNanochat, 250, "loss", 3.210123, Quantity::Loss},
        {&nanochatDialect, kNanochat, 250, "tok/sec", 1638400, Quantity::Throughput},
        {&nanochatDialect, "Step 00250 | Validation bpb: 0.8123", 250, "Validation bpb", 0.8123,
            Quantity::Other},
        {&moddedNanogptDialect,
            "step:250/5100 train_loss:3.2101 train_time:31234ms step_avg:124.94ms", 250,
            "train_loss", 3.2101, Quantity::Loss},
        {&moddedNanogptDialect, "step:0/5960 val_loss:10.8258 train_time:1ms step_avg:nanms", 0,
            "val_loss", 10.8258, Quantity::Other},
        {&moddedNanogptDialect, "3000/20000 train_loss: 2.5641 train_time: 5.4m tok/s: 7347224",
            3000, "tok/s", 7347224, Quantity::Throughput},
        {&litgptDialect, kLitgpt, 250, "loss train", 3.21, Quantity::Loss},
        {&litgptDialect, kLitgpt, 250, "iter time", 210.12, Quantity::StepTime},
        {&torchtuneDialect, "Step 12 | loss:1.2345 lr:2e-05 tokens_per_second_per_gpu:1234.5", 12,
            "lr", 2e-5, Quantity::LearningRate},
        {&nanotronDialect, kNanotron, 15, "consumed_tokens", 61400, Quantity::Tokens},
        {&nanotronDialect, kNanotron, 15, "lm_loss", 8.76, Quantity::Loss},
        {&nanotronDialect, kNanotron, 15, "hd_used_memory_tb", 952e9, Quantity::Other},
        {&maxtextDialect, kMaxtext, 250, "loss", 3.21, Quantity::Loss},
        {&maxtextDialect, kMaxtext, 250, "seconds", 1.234, Quantity::StepTime},
        {&mlxDialect, kMlx, 250, "Train loss", 1.234, Quantity::Loss},
        {&mlxDialect, kMlx, 250, "Trained Tokens", 123456, Quantity::Tokens},
        {&mlxDialect, "Iter 1: Val loss 2.086, Val took 17.177s", 1, "Val loss", 2.086,
            Quantity::Other},
        {&mmengineDialect, kMmengine, 510, "loss", 0.6919, Quantity::Loss},
        {&mmengineDialect, kMmengine, 510, "grad_norm", 1.5, Quantity::GradNorm},
        {&mmengineDialect, kMmcv, 7380, "loss", 1.25, Quantity::Loss},
        {&paddleDialect, kPaddle, 10, "learning_rate", 2.9e-5, Quantity::LearningRate},
        {&wordLmDialect, kWordLm, 3183, "loss", 5.61, Quantity::Loss},
        {&nemoDialect, kNemo, 2119, "reduced_train_loss", 2.34, Quantity::Loss},
    }));
    CAPTURE(c.line, c.name);
    CHECK(c.dialect().score(c.line) > 0);
    const auto read = readLines(c.dialect(), {c.line});
    const Column points = read.points(c.name);
    REQUIRE(points.size() == 1);
    CHECK(points.steps[0] == c.step);
    CHECK(points.values[0] == Approx(c.value));
    CHECK(read.column(c.name)->quantity == c.quantity);
}

TEST_CASE("Words for NaN are read in every one-line dialect", "[dialects]")
{
    struct Case {
        LineDialect (*dialect)() noexcept;
        const char* line;
        const char* name;
    };
    const auto c = GENERATE(values<Case>({
        {&wordLmDialect, "| epoch   1 |   200/ 2983 batches | lr 20.0000 | loss   nan | ppl nan",
            "loss"},
        {&mmengineDialect, "Iter(train) [ 510/2046]  lr: 1.7590e-04  loss: 0.6919  grad_norm: nan",
            "grad_norm"},
        {&moddedNanogptDialect, "step:3/51 train_loss:nan train_time:3ms step_avg:1.5ms",
            "train_loss"},
        {&mlxDialect, "Iter 3: Train loss nan, Learning Rate 1.000e-05", "Train loss"},
        {&maxtextDialect, "completed step: 3, seconds: 1.2, loss: nan", "loss"},
        {&nanotronDialect, "iteration: 3 / 9 | consumed_tokens: 61.4K | lm_loss: nan", "lm_loss"},
        {&torchtuneDialect, "Step 3 | loss:nan lr:2e-05", "loss"},
        {&paddleDialect, "loss: nan, learning_rate: 2.9e-05, global_step: 3, epoch: 0.02", "loss"},
    }));
    CAPTURE(c.line);
    const Column points = readLines(c.dialect(), {c.line}).points(c.name);
    REQUIRE(points.size() == 1);
    CHECK(classify(points.values[0]) == ValueKind::NotANumber);
}

TEST_CASE("A mean over nothing yet is missing, not NaN", "[dialects]")
{
    const auto read = readLines(moddedNanogptDialect(),
        {"step:1/19073 train_loss:10.8259 train_time:7919ms step_avg:nanms"});
    REQUIRE(read.column("step_avg") != nullptr);
    CHECK(read.points("step_avg").empty());
    CHECK(read.points("step_avg").missingSteps == std::vector<std::int64_t>{1});
    CHECK(read.column("step_avg")->isRunningMean);
}

TEST_CASE("Warm-up steps and source code are no records of modded-nanogpt", "[dialects]")
{
    const auto* const line = GENERATE(as<const char*>{}, "warmup_step:1/20",
        "    print0(f\"step:{step}/{args.num_iterations} val_loss:{val_loss:.4f}\")",
        "step 0. AdamH hidden-matrix hyperparameters follow the AdamW baseline",
        "val_steps = args.val_tokens // (B * T * ddp_world_size)",
        "train_batch_tokens:524288 train_seq_len:1024 iterations:20000 warmup_steps:20",
        "ttt_progress: batch 15/782 batch_loss:3.3576 batch_bpb:1.2461",
        "| N/A   41C    P0             116W / 700W |   1350MiB / 81559MiB |      0%      Default "
        "|");
    CAPTURE(line);
    CHECK(moddedNanogptDialect().score(line) == 0);
    const auto read = readLines(moddedNanogptDialect(), {line});
    CHECK(read.verdicts[0] == LineVerdict::NotMine);
    CHECK(read.data.columns.empty());
}

TEST_CASE("mlx names the adapter file that it saved", "[dialects]")
{
    const auto read = readLines(
        mlxDialect(), {"Iter 100: Saved adapter weights to checkpoints/100_adapters.npz."});
    REQUIRE(read.events(EventKind::Save).size() == 1);
    CHECK(read.events(EventKind::Save)[0]->step == 100);
    CHECK(read.events(EventKind::Save)[0]->path == "checkpoints/100_adapters.npz");
}

TEST_CASE("Knover spreads a record over three lines", "[dialects]")
{
    const auto read = readLines(knoverDialect(),
        {"[train][1] progress: 1/1 step: 100, time: 6.0, speed: 16.4 steps/s",
            "\tcurrent lr: 0.0000010", "\tlm_loss: 3.47, ppl: 32.2, loss: 3.47", "end"});
    CHECK(read.points("loss").steps == std::vector<std::int64_t>{100});
    CHECK(read.points("current lr").values == std::vector<double>{1e-6});
    CHECK(read.points("speed").values == std::vector<double>{16.4});
    CHECK(read.verdicts.back() == LineVerdict::NotMine);
}
