// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/checkpoint/deepspeed/deepspeed_files.h"
#include "core/checkpoint/deepspeed/flat_slices.h"
#include "core/checkpoint/megatron/rank_folders.h"
#include "tests/support/catch.h"
#include "tests/unit/checkpoint_shards/safetensors_bytes.h"

using namespace firstbad::core;
using namespace firstbad::test;

TEST_CASE("names of DeepSpeed's files say what they are", "[checkpoint][deepspeed]")
{
    using Kind = DeepSpeedFile::Kind;
    const auto shard = parseDeepSpeedFile("bf16_zero_pp_rank_3_mp_rank_01_optim_states.pt");
    REQUIRE(shard);
    CHECK(shard->kind == Kind::OptimizerStates);
    CHECK(shard->prefix == "bf16_");
    CHECK(shard->dataRank == 3);
    CHECK(shard->modelRank == 1);
    CHECK(parseDeepSpeedFile("mp_rank_00_model_states.pt")->kind == Kind::ModelStates);
    CHECK(parseDeepSpeedFile("zero_pp_rank_0_mp_rank_00_model_states.pt")->dataRank == 0);
    CHECK(parseDeepSpeedFile("layer_03-model_00-model_states.pt")->layer == 3);
    CHECK(parseDeepSpeedFile("layer_3_expert_7_mp_rank_00_model_states.pt")->kind == Kind::Expert);
    for (const char* name : {"model.pt", "latest", "mp_rank_00", "mp_rank_xx_model_states.pt",
             "zero_pp_rank_0.pt", "layer_-model_00-model_states.pt"}) {
        CAPTURE(name);
        CHECK_FALSE(parseDeepSpeedFile(name));
    }
}

TEST_CASE("names of Megatron's rank folders say their place", "[checkpoint][megatron]")
{
    const auto rank = parseRankFolder("mp_rank_03_012_001");
    REQUIRE(rank);
    CHECK(rank->place == std::array<int, 3>{3, 12, 1});
    CHECK(rankFolderName(*rank) == "mp_rank_03_012_001");
    CHECK(parseRankFolder("mp_rank_00")->parts == 1);
    for (const char* name : {"mp_rank_", "mp_rank_a", "mp_rank_00_", "mp_rank_00_model_states.pt",
             "mp_rank_00_000_000_000", "rank_00"}) {
        CAPTURE(name);
        CHECK_FALSE(parseRankFolder(name));
    }
}

TEST_CASE("mapped slices go on from rank to rank", "[checkpoint][deepspeed]")
{
    // As ZeRO-1 of two ranks wrote it: 48 + 6 elements over vectors of 46.
    std::vector<ZeroShard> shards(2);
    shards[1].dataRank = 0;
    shards[1].hasMapping = true;
    shards[1].groups = {{{"first.weight", {}, 0, 46, 0}}};
    shards[0].dataRank = 1;
    shards[0].hasMapping = true;
    shards[0].groups = {{{"first.weight", {}, 0, 2, 0}, {"first.bias", {}, 2, 6, 0}}};
    const ZeroGroups groups{{{"first.weight", {6, 8}}, {"first.bias", {6}}}};

    completeSlices(shards, groups);

    REQUIRE(shards[0].groups[0].size() == 2);
    CHECK(shards[0].dataRank == 1);
    CHECK(shards[0].groups[0][0].offset == 46);
    CHECK(shards[0].groups[0][1].offset == 0);
    CHECK(shards[0].groups[0][1].shape == std::vector<std::int64_t>{6});
    CHECK(shards[1].groups[0][0].offset == 0);
}

TEST_CASE("without a mapping the order of the parameters tells", "[checkpoint][deepspeed]")
{
    const ZeroGroups groups{{{"a", {5}}, {"b", {3, 2}}}};
    std::vector<ZeroShard> shards(2);
    shards[1].dataRank = 1;
    shards[0].lengths = {6};
    shards[1].lengths = {5};

    completeSlices(shards, groups);

    REQUIRE(shards[0].groups[0].size() == 2);
    CHECK(shards[0].groups[0][1].parameter == "b");
    CHECK(shards[0].groups[0][1].start == 5);
    CHECK(shards[0].groups[0][1].count == 1);
    REQUIRE(shards[1].groups[0].size() == 1);
    CHECK(shards[1].groups[0][0].offset == 1);
    CHECK(shards[1].groups[0][0].count == 5);
}

TEST_CASE("stage 3 splits every parameter over the ranks", "[checkpoint][deepspeed]")
{
    const ZeroGroups groups{{{"a", {5}}, {"b", {2}}}};
    std::vector<ZeroShard> shards(3);
    for (int rank = 0; rank < 3; ++rank) {
        shards[static_cast<std::size_t>(rank)].dataRank = rank;
        shards[static_cast<std::size_t>(rank)].isStage3 = true;
    }

    completeSlices(shards, groups);

    REQUIRE(shards[0].groups[0].size() == 2);
    CHECK(shards[0].groups[0][0].count == 2);
    CHECK(shards[0].groups[0][1].start == 2);
    REQUIRE(shards[2].groups[0].size() == 1);
    CHECK(shards[2].groups[0][0].offset == 4);
    CHECK(shards[2].groups[0][0].count == 1);
}

TEST_CASE("vectors of ZeRO are told by their path", "[checkpoint][deepspeed]")
{
    CheckpointTensor tensor;
    tensor.shape = {46};
    tensor.path = {{PathPart::Kind::Text, "optimizer_state_dict"},
        {PathPart::Kind::Text, "single_partition_of_fp32_groups"}, {PathPart::Kind::Number, "1"}};
    CHECK(groupOfVector(tensor) == std::size_t{1});
    tensor.shape = {6, 8};
    CHECK_FALSE(groupOfVector(tensor));
    tensor.shape = {};
    CHECK_FALSE(groupOfVector(tensor));
}

namespace {

constexpr auto kArray = R"({"zarr_format":2,"shape":[3,5],"chunks":[2,4],"dtype":"<f4",)"
                        R"("compressor":null,"fill_value":null,"filters":null,"order":"C"})";

/// A Megatron save with one zarr array of four chunks, padded at the edges.
std::filesystem::path makeZarr(const TempFolder& folder, const std::string& description = kArray)
{
    folder.write("iter_0000050/metadata.json", R"({"sharded_backend":"zarr"})");
    folder.write("iter_0000050/w/.zarray", description);
    for (const char* name : {"0.0", "0.1", "1.0", "1.1"})
        folder.write(std::string("iter_0000050/w/") + name, std::string(32, '\0'));
    folder.write("iter_0000050/common.pt", "");
    return folder.path() / "iter_0000050";
}

}  // namespace

TEST_CASE("zarr chunks are pieces, clipped at the edges", "[checkpoint][megatron]")
{
    const TempFolder folder;
    const Checkpoint checkpoint = openPath(makeZarr(folder));
    CHECK(checkpoint.format == "megatron-zarr");
    CHECK(checkpoint.step == 50);
    REQUIRE(checkpoint.tensors.size() == 1);
    const CheckpointTensor& tensor = checkpoint.tensors[0];
    CHECK(tensor.shape == std::vector<std::int64_t>{3, 5});
    REQUIRE(tensor.pieces.size() == 4);
    CHECK(tensor.pieces[3].offsets == std::vector<std::int64_t>{2, 4});
    CHECK(tensor.pieces[3].sizes == std::vector<std::int64_t>{1, 1});
    CHECK(tensor.pieces[3].strides == std::vector<std::int64_t>{4, 1});
    REQUIRE(checkpoint.damage.size() == 1);
    CHECK(checkpoint.damage[0].error == "empty-file");
}

TEST_CASE("zarr chunks that are missing or short are damage", "[checkpoint][megatron]")
{
    const TempFolder folder;
    const auto save = makeZarr(folder);
    folder.write("iter_0000050/w/0.1", "1234");
    std::filesystem::remove(save / "w/1.0");
    const Checkpoint checkpoint = openPath(save);
    CHECK(findDamage(checkpoint, "truncated") != nullptr);
    REQUIRE(findDamage(checkpoint, "missing-shard") != nullptr);
    CHECK(findDamage(checkpoint, "missing-shard")->member == "w/1.0");
    CHECK(checkpoint.lost == std::vector<std::string>{"w"});
}

TEST_CASE("zarr that cannot be decoded is named", "[checkpoint][megatron]")
{
    struct Case {
        std::string description;
        const char* error;
    };
    const std::vector<Case> cases{
        {R"({"shape":[3,5],"chunks":[2,4],"dtype":"<f4","compressor":{"id":"blosc"}})",
            "unknown-dtype"},
        {R"({"shape":[3,5],"chunks":[2,4],"dtype":"<U4","compressor":null})", "unknown-dtype"},
        {R"({"shape":[9000000000,9000000000],"chunks":[1,1],"dtype":"<f4"})", "unknown-dtype"},
        {R"({"shape":[3,5],"chunks":[0,4],"dtype":"<f4"})", "bad-header"},
        {R"({"shape":[3,-5],"chunks":[2,4],"dtype":"<f4"})", "bad-header"},
        {R"({"shape":[3,5],"chunks":[2],"dtype":"<f4"})", "bad-header"},
        {"nonsense", "bad-header"},
    };
    for (const Case& c : cases) {
        CAPTURE(c.description);
        const TempFolder folder;
        const Checkpoint checkpoint = openPath(makeZarr(folder, c.description));
        CHECK(findDamage(checkpoint, c.error) != nullptr);
        CHECK(checkpoint.lost == std::vector<std::string>{"w"});
    }
}

TEST_CASE("a rank that is not there is named", "[checkpoint][megatron]")
{
    const TempFolder folder;
    folder.write("iter_0000100/mp_rank_00/model_optim_rng.pt", "");
    folder.write("iter_0000100/mp_rank_02/model_optim_rng.pt", "");
    folder.write("iter_0000100/mp_rank_02/distrib_optim.pt", "");
    const Checkpoint checkpoint = openPath(folder.path() / "iter_0000100");
    CHECK(checkpoint.format == "megatron");
    CHECK(checkpoint.step == 100);
    std::vector<std::string> missing;
    for (const CheckpointDamage& damage : checkpoint.damage) {
        if (damage.error == "missing-shard")
            missing.push_back(damage.member);
    }
    CHECK(missing == std::vector<std::string>{"mp_rank_01", "mp_rank_00/distrib_optim.pt"});
}

TEST_CASE("a root of several saves is a list of them", "[checkpoint][megatron]")
{
    const TempFolder folder;
    folder.write("run/latest_checkpointed_iteration.txt", "200\n");
    folder.write("run/iter_0000100/mp_rank_00/model_optim_rng.pt", "");
    folder.write("run/iter_0000200/mp_rank_00/model_optim_rng.pt", "");
    const Checkpoint root = openPath(folder.path() / "run");
    CHECK(root.format == "megatron-root");
    CHECK(root.damage.empty());
    REQUIRE(root.saves.size() == 2);
    CHECK(root.saves[0].step == 100);
    CHECK_FALSE(root.saves[0].newest);
    CHECK(root.saves[1].newest);

    folder.write("run/latest_checkpointed_iteration.txt", "../../etc");
    CHECK(findDamage(openPath(folder.path() / "run"), "bad-index") != nullptr);
    folder.write("run/latest_checkpointed_iteration.txt", "300");
    CHECK(findDamage(openPath(folder.path() / "run"), "missing-shard") != nullptr);
}

TEST_CASE("latest of DeepSpeed names only what lies beside it", "[checkpoint][deepspeed]")
{
    const TempFolder folder;
    folder.write("run/latest", "global_step10");
    folder.write("run/global_step10/mp_rank_00_model_states.pt", "");
    folder.write("run/global_step20/mp_rank_00_model_states.pt", "");
    const Checkpoint root = openPath(folder.path() / "run");
    CHECK(root.format == "deepspeed");
    REQUIRE(root.saves.size() == 2);
    CHECK(root.saves[0].newest);
    folder.write("run/latest", "../other");
    CHECK(findDamage(openPath(folder.path() / "run"), "path-traversal") != nullptr);
}

TEST_CASE("a shard of ZeRO that is not there is named", "[checkpoint][deepspeed]")
{
    const TempFolder folder;
    folder.write("global_step10/mp_rank_00_model_states.pt", "");
    folder.write("global_step10/bf16_zero_pp_rank_1_mp_rank_00_optim_states.pt", "");
    const Checkpoint checkpoint = openPath(folder.path() / "global_step10");
    REQUIRE(findDamage(checkpoint, "missing-shard") != nullptr);
    CHECK(findDamage(checkpoint, "missing-shard")->member
        == "bf16_zero_pp_rank_0_mp_rank_00_optim_states.pt");
    CHECK(checkpoint.step == 10);
}

TEST_CASE("the Trainer's state gives the step and what it logged as NaN", "[checkpoint][trainer]")
{
    const TempFolder folder;
    folder.write("checkpoint-7/model.safetensors", safetensorsFile("{}", ""));
    folder.write("checkpoint-7/trainer_state.json",
        R"({"global_step":9,"log_history":[{"grad_norm":NaN},{"grad_norm":Infinity}]})");
    const Checkpoint checkpoint = openPath(folder.path() / "checkpoint-7");
    CHECK(checkpoint.format == "hf-trainer");
    CHECK(checkpoint.step == 9);
    REQUIRE(checkpoint.warnings.size() == 2);
    CHECK_THAT(checkpoint.warnings[0].text, Catch::Contains("log_history.0.grad_norm is NaN"));
    CHECK(checkpoint.warnings[1].severity == "info");

    folder.write("checkpoint-7/trainer_state.json", "{");
    const Checkpoint broken = openPath(folder.path() / "checkpoint-7");
    CHECK(findDamage(broken, "bad-index") != nullptr);
    CHECK(broken.step == 7);
}
