// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/import/text/line_dialect.h"
#include "tests/support/catch.h"

#include <string>
#include <vector>

using namespace firstbad::core;

namespace {

// Framework dialects that claim the line; the generic reader and chronicles are no frameworks.
std::vector<std::string> claimants(std::string_view line)
{
    std::vector<std::string> found;
    for (const LineDialect& dialect : dialectTable()) {
        const bool framework = dialect.role == DialectRole::Primary && dialect.id != "text"
            && dialect.id != "chronicle"
            && !dialect.onlyBars;  // the engine shows those bar lines only
        if (framework && dialect.score(line) > 0)
            found.emplace_back(dialect.id);
    }
    return found;
}

}  // namespace

TEST_CASE("A framework's line is claimed by its dialect alone", "[dialects]")
{
    struct Case {
        const char* id;
        const char* line;
    };
    const auto c = GENERATE(values<Case>({
        {"fairseq", "epoch 001:    200 / 1374 loss=9.876, ppl=12.5, num_updates=190, gnorm=2.3"},
        {"fairseq-json", R"({"epoch": 1, "loss": "9.2", "num_updates": "200", "gnorm": "1.4"})"},
        {"nanogpt", "iter 250: loss 3.2101, time 123.45ms, mfu 12.34%"},
        {"nanogpt", "step 250: train loss 3.2109, val loss 3.2345"},
        {"build-nanogpt", "250 hella 0.2654"},
        {"modded-nanogpt", "step:250/5100 val_loss:3.2101 train_time:31234ms step_avg:124.94ms"},
        {"nanochat", "step 00250/21400 (1.17%) | loss: 3.210123 | lrm: 1.00 | dt: 320.11ms"},
        {"litgpt", "Epoch 1 | iter 250 step 62 | loss train: 3.210, val: n/a | iter time: 2.1 ms"},
        {"llm.c", "step  250/19560 | loss 3.210123 (+0.12z)| norm 0.4567 (-0.34z)| lr 6.00e-04"},
        {"llm.c-main", "s:250 trl:3.2101 lr:0.000600 norm:0.45"},
        {"torchtitan", "step: 14  loss:  3.24405  grad_norm:  0.8319  tps: 7,282"},
        {"torchtune", "Step 12 | loss:1.2345 lr:2e-05 tokens_per_second_per_gpu:1234.5"},
        {"olmo-core", "[step=250/739328,epoch=0]"},
        {"nanotron", "iteration: 15 / 1000 | consumed_tokens: 61.4K | lm_loss: 8.76 | lr: 0.00015"},
        {"maxtext", "completed step: 250, seconds: 1.234, TFLOP/s/device: 120.456, loss: 3.210"},
        {"composer", "[batch=250/3200]:"},
        {"mlx", "Iter 250: Train loss 1.234, Learning Rate 1.000e-05, It/sec 1.234"},
        {"rwkv", "0 2.345678 10.4400 0.00060000 2031-02-03 04:05:06.123456 0"},
        {"metriclogger", "Epoch: [12]  [  50/1251]  eta: 0:12:34  lr: 0.1  loss: 2.34 (2.45)"},
        {"swin", "INFO Train: [0/300][290/1000]\teta 0:50:12 lr 0.000097\tloss 6.72 (6.81)"},
        {"mmengine", "Iter(train) [ 510/2046]  lr: 1.7590e-04  eta: 1:25:37  loss: 0.6919"},
        {"paddlenlp", "loss: 3.2101, learning_rate: 2.9e-05, global_step: 10, epoch: 0.02"},
        {"knover", "[train][1] progress: 1/1 step: 100, time: 6.0, speed: 16.4 steps/s"},
        {"word-lm", "| epoch   1 |   200/ 2983 batches | lr 20.0000 | loss   nan | ppl      nan"},
        {"mllog", R"(:::MLLOG {"time_ms": 1, "key": "eval_accuracy", "value": 2.71})"},
        {"dllogger", R"(DLLL {"timestamp": "1.1", "type": "LOG", "step": [1], "data": {}})"},
        {"dllogger-text", "Training Epoch: 0 Training Iteration: 120  average_loss : 2.34 "},
        {"nemo", "v_num=3, reduced_train_loss=2.340, global_step=119.0, grad_norm=0.56"},
        {"lightning-console", "v_num=0, train/loss_step=0.571"},
    }));
    CAPTURE(c.line);
    CHECK(claimants(c.line) == std::vector<std::string>{c.id});
}

TEST_CASE("No framework claims dumps, programs or traces", "[dialects]")
{
    const auto* const line = GENERATE(as<const char*>{}, "",
        "|   0  NVIDIA H100 80GB HBM3          On  | 00000000:19:00.0 Off |            0 |",
        "        Total                             : 81559 MiB",
        "[680111.646286] NVRM: Xid (PCI:0000:10:1c): 63, pid=1850, Row Remapper: New row marked",
        "    print0(f\"step:{step}/{args.num_iterations} train_loss:{train_loss.item():.4f}\")",
        "val_steps = args.val_tokens // (B * T * ddp_world_size)",
        "  File \"train.py\", line 250, in main",
        "RuntimeError: CUDA error: device-side assert triggered",
        "learning_rate ................................... 0.0006", "wandb:       train/loss 2.3",
        "warmup_step:1/20", "step:", "iter ", "epoch ", "{\"",
        "Epoch 0:  25%|##5       | 4/16 [00:00<00:01,  8.00it/s]");
    CAPTURE(line);
    CHECK(claimants(line).empty());
}
