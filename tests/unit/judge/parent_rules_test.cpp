// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/judge/judge_file.h"
#include "core/scan/scan_checkpoint.h"
#include "tests/support/catch.h"
#include "tests/support/checkpoint_builder.h"

#include <algorithm>
#include <limits>
#include <random>

using namespace firstbad;
using namespace firstbad::core;
using firstbad::test::CheckpointBuilder;

namespace {

std::vector<float> weights(std::uint32_t seed)
{
    std::mt19937 random(seed);
    std::normal_distribution<float> normal(0.0F, 0.02F);
    std::vector<float> values(256);
    for (float& value : values)
        value = normal(random);
    return values;
}

std::vector<float> moved(std::vector<float> values)
{
    for (float& value : values)
        value += 0.0001F;
    return values;
}

CheckpointScan scan(CheckpointBuilder& builder)
{
    JobContext job;
    auto done = scanCheckpoint(builder.write(), {}, job);
    REQUIRE(done);
    return *done;
}

std::vector<CheckpointWarning> compare(CheckpointBuilder& child, CheckpointBuilder& parent)
{
    JobContext job;
    const auto warnings = compareWithParent(scan(child), scan(parent), job);
    REQUIRE(warnings);
    return *warnings;
}

}  // namespace

TEST_CASE("A tensor that has nothing to do with its parent was initialised again", "[judge]")
{
    CheckpointBuilder parent;
    CheckpointBuilder child;
    for (std::uint32_t t = 0; t < 4; ++t) {
        const std::string name = t == 3 ? "lm_head.weight" : "w" + std::to_string(t);
        parent.addPlain(name, parent.addStorage(weights(t)), {16, 16});
        child.addPlain(name, child.addStorage(t == 3 ? weights(99) : moved(weights(t))), {16, 16});
    }
    const auto warnings = compare(child, parent);
    REQUIRE(warnings.size() == 1);
    CHECK(warnings[0].code == "reinitialised");
    CHECK(warnings[0].tensor == "lm_head.weight");
}

TEST_CASE("Zeros where the parent had NaN are a repair that is none", "[judge]")
{
    auto before = weights(1);
    before[7] = before[9] = std::numeric_limits<float>::quiet_NaN();
    auto after = moved(before);
    after[7] = after[9] = 0.0F;
    after[50] = 0.0F;
    CheckpointBuilder parent;
    CheckpointBuilder child;
    parent.addPlain("w", parent.addStorage(before), {16, 16});
    child.addPlain("w", child.addStorage(after), {16, 16});
    const auto warnings = compare(child, parent);
    REQUIRE(warnings.size() == 1);
    CHECK(warnings[0].code == "exact-zeros-from-nan");
    CHECK(warnings[0].count == 2U);
    CHECK(warnings[0].index == 7);
}

TEST_CASE("Equal saves are duplicates, a tensor that alone stayed is unchanged", "[judge]")
{
    CheckpointBuilder parent;
    CheckpointBuilder same;
    CheckpointBuilder partly;
    for (std::uint32_t t = 0; t < 2; ++t) {
        const std::string name = "w" + std::to_string(t);
        parent.addPlain(name, parent.addStorage(weights(t)), {16, 16});
        same.addPlain(name, same.addStorage(weights(t)), {16, 16});
        partly.addPlain(name, partly.addStorage(t == 0 ? weights(t) : moved(weights(t))), {16, 16});
    }
    const auto duplicate = compare(same, parent);
    REQUIRE(duplicate.size() == 1);
    CHECK(duplicate[0].code == "duplicate");
    const auto unchanged = compare(partly, parent);
    REQUIRE(unchanged.size() == 1);
    CHECK(unchanged[0].code == "unchanged");
    CHECK(unchanged[0].tensor == "w0");
}

TEST_CASE("Types and keys are held against the parent's", "[judge]")
{
    CheckpointBuilder parent;
    CheckpointBuilder child;
    parent.addPlain("w", parent.addStorage(weights(1)), {16, 16});
    parent.addPlain("old", parent.addStorage(weights(2)), {16, 16});
    parent.addPlain("bias", parent.addStorage(weights(3)), {256}).type = ElementType::Float32;
    child.addPlain("w", child.addStorage(moved(weights(1))), {16, 16});
    child.addPlain("new", child.addStorage(weights(4)), {16, 16});
    child.addPlain("bias", child.addStorage(weights(5)), {256}).type = ElementType::BFloat16;
    const auto warnings = compare(child, parent);
    const auto holds = [&](std::string_view code, std::string_view tensor) {
        return std::any_of(warnings.begin(), warnings.end(),
            [&](const CheckpointWarning& one) { return one.code == code && one.tensor == tensor; });
    };
    CHECK(holds("dtype-drift", "bias"));
    CHECK_FALSE(holds("dtype-drift", "w"));
    CHECK(holds("missing-keys", "old"));
    CHECK(holds("extra-keys", "new"));
}
