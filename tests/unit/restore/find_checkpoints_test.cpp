// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/restore/find_checkpoints.h"
#include "core/restore/merge_checkpoints.h"
#include "tests/support/catch.h"
#include "tests/support/temp_folder.h"

#include <filesystem>

using namespace firstbad::core;
using firstbad::test::TempFolder;

namespace {

/// The smallest safetensors file: one float32.
std::string oneValue()
{
    const std::string header = R"({"w":{"dtype":"F32","shape":[1],"data_offsets":[0,4]}})";
    std::string bytes(8, '\0');
    bytes[0] = static_cast<char>(header.size());
    return bytes + header + std::string(4, '\0');
}

FoundCheckpoints find(const std::string& path)
{
    JobContext job;
    auto found = findCheckpoints({path}, job);
    REQUIRE(found);
    return *found;
}

}  // namespace

TEST_CASE("Steps are read from the names that trainers give", "[restore]")
{
    CHECK(stepInName("run/checkpoint-110") == 110);
    CHECK(stepInName("run/iter_0001000/mp_rank_00") == 1000);
    CHECK(stepInName("global_step500") == 500);
    CHECK(stepInName("run/model.pt") == std::nullopt);
    CHECK(isNamedLikeSave("checkpoint-5"));
    CHECK_FALSE(isNamedLikeSave("checkpoint-best"));
    CHECK_FALSE(isNamedLikeSave("iter_"));
}

TEST_CASE(
    "A file that promises a checkpoint is found even when it is empty; logs are not", "[restore]")
{
    TempFolder folder;
    folder.write("a/model.safetensors", "");
    folder.write("a/train.log", "iteration 1 loss 2.0\n");
    folder.write("b/step.capsule/capsule.json", "{}");
    folder.write("b/step.capsule/weights.safetensors", oneValue());
    const FoundCheckpoints found = find(folder.path().string());
    REQUIRE(found.places.size() == 1);
    CHECK_THAT(found.places[0].shown, Catch::EndsWith("a/model.safetensors"));
}

TEST_CASE("A link out of the folder is not followed and is told", "[restore]")
{
    TempFolder outside;
    outside.write("model.safetensors", oneValue());
    TempFolder folder;
    std::filesystem::create_symlink(
        outside.path() / "model.safetensors", folder.path() / "model.safetensors");
    const FoundCheckpoints found = find(folder.path().string());
    REQUIRE(found.diagnostics.size() == 1);
    CHECK(found.diagnostics[0].code == "link-not-followed");
}

TEST_CASE("A path that is not there is an error", "[restore]")
{
    JobContext job;
    const auto found = findCheckpoints({"/nowhere/at/all"}, job);
    REQUIRE_FALSE(found);
    CHECK_THAT(found.error().message, Catch::Contains("/nowhere/at/all"));
}

TEST_CASE("Parts of one save are put together with their own names", "[restore]")
{
    Checkpoint model;
    model.format = "safetensors";
    model.files.push_back({"m", {}, 4});
    model.storages.resize(1);
    model.tensors.resize(1);
    model.tensors[0].name = "w";
    model.tensors[0].pieces.resize(1);
    Checkpoint optimizer = model;
    optimizer.format = "dcp";
    addPrefix(model, "model");
    addPrefix(optimizer, "optim");
    const Checkpoint whole = mergeCheckpoints("step_40", {model, optimizer});
    CHECK(whole.format == "safetensors+dcp");
    REQUIRE(whole.tensors.size() == 2);
    CHECK(whole.tensors[1].name == "optim.w");
    CHECK(whole.tensors[1].pieces[0].storage == 1);
    CHECK(whole.storages[1].file == 1);
}
