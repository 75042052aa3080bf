// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/series/quantity.h"
#include "tests/support/catch.h"

using namespace firstbad::core;

TEST_CASE("the spellings of frameworks map to canonical quantities", "[core][series]")
{
    CHECK(quantityFromName("lm loss") == Quantity::Loss);
    CHECK(quantityFromName("train/grad_norm") == Quantity::GradNorm);
    CHECK(quantityFromName("grad-norm") == Quantity::GradNorm);
    CHECK(quantityFromName("learning rate") == Quantity::LearningRate);
    CHECK(quantityFromName("number of skipped iterations") == Quantity::Skipped);
    CHECK(quantityFromName("loss-scale/loss-scale") == Quantity::LossScale);
    CHECK(quantityFromName("eval_loss") == Quantity::Other);
    CHECK(quantityFromName("valid/loss") == Quantity::Other);
}
