// SPDX-License-Identifier: GPL-3.0-or-later
// Megatron, DeepSpeed, apex, Trainer and what stands around records.
#include "tests/unit/import/text_support.h"

#include <algorithm>

namespace firstbad::test {
namespace {

using core::EventKind;
using Steps = std::vector<std::int64_t>;
using Values = std::vector<double>;

std::vector<core::LogEvent> eventsOf(const core::SourceData& data, EventKind kind)
{
    std::vector<core::LogEvent> found;
    std::copy_if(data.events.begin(), data.events.end(), std::back_inserter(found),
        [&](const core::LogEvent& event) { return event.kind == kind; });
    return found;
}

}  // namespace

TEST_CASE(
    "A Megatron record gives one point a field and names the loss it lacks", "[import][megatron]")
{
    const auto data = readLog(
        " iteration      100/    500 | consumed samples:  800 | lm loss: 2.5E+00 | loss scale: 8.0 "
        "| grad norm: 1.5 | number of skipped iterations:   0 |\n"
        " iteration      110/    500 | consumed samples:  880 | loss scale: 4.0 | number of "
        "skipped iterations:   1 |\n"
        " iteration      120/    500 | consumed samples:  960 | lm loss: 2.25E+00 | loss scale: "
        "4.0 "
        "| grad norm: nan | number of skipped iterations:   0 |\n"
        " validation loss at iteration 120 | lm loss value: 3.5E+00 | lm loss PPL: 3.3E+01 | \n");
    CHECK(data.info.format == "megatron");
    CHECK(stepsOf(data, "lm loss") == Steps{100, 120});
    CHECK(valuesOf(data, "lm loss") == Values{2.5, 2.25});
    CHECK(valuesOf(data, "loss scale") == Values{8, 4, 4});
    REQUIRE(findColumn(data, "lm loss"));
    CHECK(findColumn(data, "lm loss")->points.missingSize() == 1);
    CHECK(valuesOf(data, "lm loss value (validation)") == Values{3.5});
    CHECK(findColumn(data, "lm loss value (validation)")->quantity == core::Quantity::Other);
    CHECK(data.traits.lossFieldDropsNonfinite);
    CHECK(data.traits.interval == 10);
}

TEST_CASE("Megatron's forks are read by the same reader", "[import][megatron]")
{
    struct Case {
        const char* line;
        const char* name;
        double loss;
    };
    const auto c = GENERATE(values<Case>({
        {"iteration=  20/ 50000 | consumed_samples=  55 | lm loss=2.5 | loss_scale=1.0 |",
            "lm loss", 2.5},
        {" samples/sec: 23.4 | iteration       20/  320000 | elapsed time per iteration (ms): 1.5 "
         "| "
         "approx flops per GPU: 45.6TFLOPS | lm_loss: 3.5E+00 | loss scale: 65536.0 |",
            "lm_loss", 3.5},
        {"[default7]: iteration       20/  320000 | elapsed time per iteration (s): 105.2 | lm "
         "loss: "
         "1.5E+00 | grad norm: 0.5 |",
            "lm loss", 1.5},
        {" [2031-02-03 04:05:06.123456] iteration 20/ 50 | hip mem usage: 1GB/2GB/3GB/33% | "
         "throughput "
         "per GPU (TFLOP/s/GPU): 270.5/271.5 | lm loss: 4.5E+00 |",
            "lm loss", 4.5},
    }));
    CAPTURE(c.line);
    const auto data = readLog(std::string(c.line) + "\n");
    CHECK(data.info.format == "megatron");
    CHECK(stepsOf(data, c.name) == Steps{20});
    CHECK(valuesOf(data, c.name) == Values{c.loss});
    CHECK(findColumn(data, "hip mem usage") == nullptr);
}

TEST_CASE("A Megatron record that is cut in the middle of the log is damage", "[import][megatron]")
{
    const auto data = readLog(" iteration 1/ 9 | lm loss: 2.5E+00 | grad norm: 1.5 |\n"
                              " iteration 2/ 9 | lm loss: 2.5\nusing world size: 8\n"
                              " loading checkpoint from ckpt at iteration 1\n"
                              " iteration 2/ 9 | lm loss: 2.25E+00 | grad norm: 1.5 |\n");
    CHECK(valuesOf(data, "lm loss") == Values{2.5, 2.25});
    REQUIRE(data.info.skipped.size() == 1);
    CHECK(data.info.skipped[0].code == "torn-line");
    CHECK_FALSE(data.info.skipped[0].mayBeGrowing);
    REQUIRE(data.breaks.size() == 1);
    CHECK(data.breaks[0].certain);
    CHECK(data.breaks[0].why == "loaded checkpoint 1");
    REQUIRE(eventsOf(data, EventKind::Load).size() == 1);
    CHECK(eventsOf(data, EventKind::Load)[0].path == "ckpt");
}

TEST_CASE("Megatron records without any loss lack it by its usual name", "[import][megatron]")
{
    const auto data = readLog(" iteration 1/ 9 | loss scale: 1.0 | grad norm: nan |\n"
                              " iteration 2/ 9 | loss scale: 1.0 | grad norm: nan |\n");
    REQUIRE(findColumn(data, "lm loss"));
    CHECK(findColumn(data, "lm loss")->points.size() == 0);
    CHECK(findColumn(data, "lm loss")->points.missingSize() == 2);
}

TEST_CASE("DeepSpeed's overflows get their steps from the clock", "[import][deepspeed]")
{
    const std::string head = "[2031-02-03 04:05:0";
    const auto data = readLog(head
        + "0,000] [INFO] [a.py:1:f] [Rank 0] step=10, skipped=0, lr=[0.5], "
          "mom=[(0.9, 0.95)]\n"
        + head
        + "2,000] [INFO] [a.py:1:f] [deepspeed] OVERFLOW! Rank 0 Skipping "
          "step. Attempted loss scale: 8, reducing to 4\n"
        + head
        + "4,000] [INFO] [a.py:1:f] [deepspeed] "
          "OVERFLOW! Rank 0 Skipping step. Attempted loss scale: 4, but hysteresis is 2. Reducing "
          "hysteresis to 1\n"
        + head
        + "5,000] [INFO] [a.py:1:f] [Rank 0] step=20, skipped=2, lr=[0.25], "
          "mom=[(0.9, 0.95)]\nsteps: 20 loss: 3.5 iter time (s): 0.5 samples/sec: 32.5\n");
    CHECK(data.info.format == "deepspeed");
    CHECK(valuesOf(data, "skipped") == Values{0, 2});
    CHECK(valuesOf(data, "lr") == Values{0.5, 0.25});
    CHECK(valuesOf(data, "loss") == Values{3.5});
    CHECK(findColumn(data, "mom") == nullptr);
    CHECK(data.traits.skippedIsCumulative);
    const auto overflows = eventsOf(data, EventKind::Overflow);
    REQUIRE(overflows.size() == 2);
    CHECK(overflows[0].step == 14);  // two of five seconds: four of ten steps
    CHECK(overflows[0].before == 8.0);
    CHECK(overflows[0].after == 4.0);
    CHECK(overflows[1].step == 18);
    CHECK(overflows[1].after == 4.0);
}

TEST_CASE("Overflow notes of every optimizer become one event each", "[import][overflow]")
{
    const auto data
        = readLog("step 1 loss 2.5\nGrad overflow on iteration 1\nReducing dynamic loss "
                  "scale from 8.0 to 4.0\nOverflow detected. Skipping step. Attempted loss "
                  "scale: 8.0, reducing to 4.0\nstep 2 loss 2.5\nGradient overflow.  "
                  "Skipping step, loss scaler 0 reducing loss scale to 2.0\nGradient "
                  "overflow.  Skipping step, loss scaler 0 reducing loss scale to 2.0\n"
                  "step 3 loss 2.5\nNo Grad overflow for 20 iterations\nIncreasing dynamic "
                  "loss scale from 2.0 to 4.0\n");
    const auto overflows = eventsOf(data, EventKind::Overflow);
    REQUIRE(overflows.size() == 2);
    CHECK(overflows[0].step == 2);
    CHECK(overflows[0].after == 4.0);
    CHECK(overflows[1].step == 3);
    CHECK(overflows[1].after == 2.0);
    REQUIRE(eventsOf(data, EventKind::ScaleChange).size() == 1);
    CHECK(eventsOf(data, EventKind::ScaleChange)[0].after == 4.0);
}

TEST_CASE("A Trainer's dicts take their steps from the bar", "[import][hf]")
{
    const auto data
        = readLog("\r 10%|#  | 10/100 [00:01<00:09,  9.99it/s]\r{'loss': '2.5', 'grad_norm': "
                  "'nan', 'learning_rate': '1e-05', 'epoch': '0.1'}\n"
                  "\r 20%|#  | 20/100 [00:02<00:08,  9.99it/s]\r{'loss': '0.0', 'grad_norm': "
                  "'1.5', 'learning_rate': '1e-05', 'epoch': '0.2'}\n"
                  "{'train_runtime': 2.5, 'train_loss': 1.25, 'epoch': 0.2}\n");
    CHECK(data.info.format == "hf-trainer-stdout");
    CHECK(stepsOf(data, "loss") == Steps{10, 20});
    CHECK(valuesOf(data, "loss") == Values{2.5, 0});
    CHECK(findColumn(data, "train_loss") == nullptr);
    CHECK(data.traits.lossMayBeFiltered);
    CHECK(data.traits.interval == 10);
    CHECK(eventsOf(data, EventKind::Finished).size() == 1);
}

TEST_CASE("What ended a launch is kept with its rank and step", "[import][launch]")
{
    struct Case {
        const char* line;
        EventKind kind;
    };
    const auto c = GENERATE(values<Case>({
        {"torch.cuda.OutOfMemoryError: CUDA out of memory. Tried to allocate",
            EventKind::Exception},
        {"RuntimeError: Function 'LogBackward0' returned nan values in its 0th output.",
            EventKind::NonfiniteReport},
        {"ValueError: bad", EventKind::Exception},
        {"slurmstepd: error: *** STEP 1.0 ON n1 CANCELLED AT 2031-02-03T04:05:06 DUE TO TIME LIMIT "
         "***",
            EventKind::Signal},
        {"Exception: Current loss scale already at minimum - cannot decrease scale anymore. "
         "Exiting run.",
            EventKind::Aborted},
        {"[E] Watchdog caught collective operation timeout: WorkNCCL(SeqNum=5) ran for 1800 ms",
            EventKind::Timeout},
    }));
    CAPTURE(c.line);
    const auto data = readLog(std::string("step 7 loss 2.5\n") + c.line + "\n");
    REQUIRE(data.events.size() == 1);
    CHECK(data.events[0].kind == c.kind);
    CHECK(data.events[0].step == 7);
}

TEST_CASE("Megatron's rank report names rank and iteration", "[import][launch]")
{
    const auto data
        = readLog("step 7 loss 2.5\nRank 3, node hostA, device 3, iteration 812: Unexpected "
                  "result nan (message='found NaN in local grad norm for bucket #0')\n");
    REQUIRE(data.events.size() == 1);
    CHECK(data.events[0].kind == EventKind::NonfiniteReport);
    CHECK(data.events[0].rank == 3);
    CHECK(data.events[0].step == 812);
}

TEST_CASE(
    "Rotated parts know their order and read the line between them once", "[import][rotation]")
{
    const TempFolder folder;
    const auto older = folder.write("a.log.1", "step=1 loss=3.5 lr=0.5\nstep=2 loss=3.2");
    const auto newer = folder.write("a.log", "5 lr=0.5\nstep=3 loss=3.0 lr=0.5\n");
    core::JobContext job;
    const auto first = core::readText({older, "a.log.1", ""}, {}, job);
    const auto second = core::readText({newer, "a.log", ""}, {}, job);
    REQUIRE(first);
    REQUIRE(second);
    CHECK(valuesOf(first->at(0), "loss") == Values{3.5, 3.25});
    CHECK(valuesOf(second->at(0), "loss") == Values{3.0});
    CHECK(first->at(0).stream == second->at(0).stream);
    CHECK(first->at(0).orderHint < second->at(0).orderHint);
    REQUIRE(second->at(0).info.skipped.size() == 1);
    CHECK(second->at(0).info.skipped[0].code == "line-split-by-rotation");
}

TEST_CASE("A line spliced of two ranks is two lines or none", "[import][ranks]")
{
    const auto data = readLog("[r0] step 1 loss 3.5123\n[r1] step 1 loss 3.2123\n"
                              "[r0] step 2 loss 3.4123[r1] step 2 loss 3.1123\n\n"
                              "[r0] step 3 loss 3.41[r1] step 3 loss 3.0123\n23\n");
    CHECK(valuesOf(data, "loss [rank 0]") == Values{3.5123, 3.4123});
    CHECK(valuesOf(data, "loss [rank 1]") == Values{3.2123, 3.1123, 3.0123});
}

}  // namespace firstbad::test
