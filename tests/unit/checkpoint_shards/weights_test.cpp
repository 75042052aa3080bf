// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/checkpoint/huggingface/shard_names.h"
#include "core/checkpoint/huggingface/weight_index.h"
#include "tests/support/catch.h"
#include "tests/unit/checkpoint_shards/safetensors_bytes.h"

using namespace firstbad::core;
using namespace firstbad::test;
namespace fs = std::filesystem;

namespace {

constexpr auto kIndex = "model.safetensors.index.json";
constexpr auto kFirst = "model-00001-of-00002.safetensors";
constexpr auto kSecond = "model-00002-of-00002.safetensors";

std::string oneTensor(const std::string& name, float value)
{
    return safetensorsFile(
        R"({")" + name + R"(":{"dtype":"F32","shape":[1],"data_offsets":[0,4]}})",
        floatBytes({value}));
}

std::string indexOf(const std::string& map)
{
    return R"({"metadata":{"total_size":8},"weight_map":{)" + map + "}}";
}

/// Two shards of one tensor each, and an index that is right unless a test says otherwise.
fs::path makeModel(const TempFolder& folder,
    const std::string& map = R"("a":"model-00001-of-00002.safetensors",)"
                             R"("b":"model-00002-of-00002.safetensors")")
{
    folder.write(std::string("model/") + kFirst, oneTensor("a", 1.0F));
    folder.write(std::string("model/") + kSecond, oneTensor("b", 2.0F));
    folder.write(std::string("model/") + kIndex, indexOf(map));
    return folder.path() / "model";
}

}  // namespace

TEST_CASE("a sharded model is one checkpoint", "[checkpoint][weights]")
{
    const TempFolder folder;
    const Checkpoint checkpoint = openPath(makeModel(folder));
    CHECK(checkpoint.format == "safetensors-sharded");
    CHECK(checkpoint.damage.empty());
    CHECK(checkpoint.warnings.empty());
    CHECK(tensorNames(checkpoint) == std::vector<std::string>{"a", "b"});
    CHECK(bytesOfTensor(checkpoint, checkpoint.tensors[1]) == floatBytes({2.0F}));
    CHECK(isCheckpoint(folder.path() / "model"));
    CHECK_FALSE(isCheckpoint(folder.path()));
}

TEST_CASE("a shard that is not there loses its tensors", "[checkpoint][weights]")
{
    const TempFolder folder;
    const fs::path model = makeModel(folder);
    fs::remove(model / kSecond);
    const Checkpoint checkpoint = openPath(model);
    REQUIRE(findDamage(checkpoint, "missing-shard") != nullptr);
    CHECK(findDamage(checkpoint, "missing-shard")->member == kSecond);
    CHECK(checkpoint.missing == std::vector<std::string>{"b"});
    CHECK(tensorNames(checkpoint) == std::vector<std::string>{"a"});
}

TEST_CASE("an index that names a tensor no shard has is told", "[checkpoint][weights]")
{
    const TempFolder folder;
    const Checkpoint checkpoint = openPath(makeModel(folder,
        R"("a":"model-00001-of-00002.safetensors",)"
        R"("b":"model-00002-of-00002.safetensors",)"
        R"("c":"model-00002-of-00002.safetensors")"));
    REQUIRE(findDamage(checkpoint, "index-mismatch") != nullptr);
    CHECK(findDamage(checkpoint, "index-mismatch")->member == "c");
    CHECK(checkpoint.lost == std::vector<std::string>{"c"});
}

TEST_CASE("names in an index that lead out are refused", "[checkpoint][weights]")
{
    for (const char* name : {"../../../etc/passwd", "/etc/passwd", "sub/x.safetensors", "..",
             R"(..\\x.safetensors)", ""}) {
        CAPTURE(name);
        const TempFolder folder;
        const Checkpoint checkpoint = openPath(makeModel(
            folder, R"("a":"model-00001-of-00002.safetensors","b":")" + std::string(name) + "\""));
        const CheckpointDamage* damage = findDamage(checkpoint, "path-traversal");
        REQUIRE(damage != nullptr);
        CHECK(damage->hostile);
        CHECK(damage->member == kIndex);
        CHECK(checkpoint.lost == std::vector<std::string>{"b"});
        for (const CheckpointFile& file : checkpoint.files)
            CHECK(fs::path(file.location).parent_path() == folder.path() / "model");
    }
}

TEST_CASE("a shard that is a link out of the folder is not followed", "[checkpoint][weights]")
{
    const TempFolder folder;
    const fs::path model = makeModel(folder);
    fs::rename(model / kSecond, folder.path() / "elsewhere.safetensors");
    fs::create_symlink("../elsewhere.safetensors", model / kSecond);
    const Checkpoint checkpoint = openPath(model);
    REQUIRE(findDamage(checkpoint, "symlink-escape") != nullptr);
    CHECK(findDamage(checkpoint, "symlink-escape")->hostile);
    CHECK(findTensor(checkpoint, "b") == nullptr);
}

TEST_CASE("an index that is no index leaves the shards readable", "[checkpoint][weights]")
{
    const TempFolder folder;
    const fs::path model = makeModel(folder);
    for (const std::string& text : {std::string("{\"weight_map\":"), std::string("[]"),
             std::string(R"({"weight_map":{"a":7}})"), std::string(200, '['), std::string()}) {
        CAPTURE(text);
        folder.write(std::string("model/") + kIndex, text);
        const Checkpoint checkpoint = openPath(model);
        CHECK(findDamage(checkpoint, "bad-index") != nullptr);
        CHECK(tensorNames(checkpoint) == std::vector<std::string>{"a", "b"});
    }
}

TEST_CASE("shards without an index must be complete", "[checkpoint][weights]")
{
    const TempFolder folder;
    const fs::path model = makeModel(folder);
    fs::remove(model / kIndex);
    CHECK(openPath(model).damage.empty());
    fs::remove(model / kFirst);
    const Checkpoint checkpoint = openPath(model);
    REQUIRE(findDamage(checkpoint, "missing-shard") != nullptr);
    CHECK(findDamage(checkpoint, "missing-shard")->member == kFirst);
}

TEST_CASE("a tensor beside the index is shown, with a note", "[checkpoint][weights]")
{
    const TempFolder folder;
    const Checkpoint checkpoint = openPath(makeModel(folder,
        R"("a":"model-00001-of-00002.safetensors","c":"model-00002-of-00002.safetensors")"));
    CHECK(findTensor(checkpoint, "b") != nullptr);
    REQUIRE_FALSE(checkpoint.warnings.empty());
    CHECK(checkpoint.warnings[0].tensor == "b");
    CHECK(checkpoint.warnings[0].severity == "info");
}

TEST_CASE(
    "one file and its config are a checkpoint with a type to hold against", "[checkpoint][weights]")
{
    const TempFolder folder;
    folder.write("m/model.safetensors", oneTensor("a", 1.0F));
    CHECK_FALSE(isCheckpoint(folder.path() / "m"));
    folder.write("m/config.json", R"({"model_type":"gpt2","torch_dtype":"float16"})");
    const Checkpoint checkpoint = openPath(folder.path() / "m");
    CHECK(checkpoint.format == "safetensors");
    REQUIRE(checkpoint.texts.size() == 2);
    CHECK(checkpoint.texts[1].name == "config.torch_dtype");
    CHECK(checkpoint.texts[1].value == "float16");
}

TEST_CASE("the index keeps what it says in order", "[checkpoint][weights]")
{
    const WeightIndex index = parseWeightIndex(indexOf(R"("z":"1","a":"2")"));
    CHECK(index.problem.empty());
    CHECK(index.totalSize == 8);
    REQUIRE(index.weights.size() == 2);
    CHECK(index.weights[0].first == "z");
    CHECK_FALSE(parseWeightIndex(indexOf(R"("a":"1","a":"2")")).problem.empty());
    CHECK_FALSE(parseWeightIndex(R"({"metadata":{}})").problem.empty());
}

TEST_CASE("names of shards are read and completed", "[checkpoint][weights]")
{
    const auto shard = parseShardName("model-00002-of-00003.safetensors");
    REQUIRE(shard);
    CHECK(shard->stem == "model");
    CHECK(shard->number == 2);
    CHECK(shard->total == 3);
    CHECK(shard->extension == ".safetensors");
    for (const char* name :
        {"model.safetensors", "-of-.bin", "a-1-of-b.bin", "1-of-2.bin", "-of-"}) {
        CAPTURE(name);
        CHECK_FALSE(parseShardName(name));
    }
    CHECK(missingShards({"m-00001-of-00003.bin", "m-00003-of-00003.bin"})
        == std::vector<std::string>{"m-00002-of-00003.bin"});
    CHECK(missingShards({"m-00001-of-999999.bin"}).size() <= 1000);
}

TEST_CASE("slices of several ranks are joined by their offsets", "[checkpoint][weights]")
{
    const auto slice = [](int first, int rows, const std::vector<float>& values) {
        return safetensorsFile(
            R"({"__metadata__":{"DCP_SHARDING_INFO":"{\"w\": {\"saved_offsets\": [)"
                + std::to_string(first) + R"(, 0]}}"},"w":{"dtype":"F32","shape":[)"
                + std::to_string(rows) + R"(,2],"data_offsets":[0,)" + std::to_string(rows * 8)
                + "]}}",
            floatBytes(values));
    };
    const TempFolder folder;
    folder.write("s/shard-00001-model-00001-of-00001.safetensors", slice(0, 2, {1, 2, 3, 4}));
    folder.write("s/shard-00002-model-00001-of-00001.safetensors", slice(2, 1, {5, 6}));

    const Checkpoint whole = openPath(folder.path() / "s");
    CHECK(whole.format == "dcp-hf");
    CHECK(whole.damage.empty());
    REQUIRE(whole.tensors.size() == 1);
    CHECK(whole.tensors[0].shape == std::vector<std::int64_t>{3, 2});
    REQUIRE(whole.tensors[0].pieces.size() == 2);
    CHECK(whole.tensors[0].pieces[1].offsets == std::vector<std::int64_t>{2, 0});

    folder.write("s/shard-00002-model-00001-of-00001.safetensors", slice(1, 1, {5, 6}));
    CHECK(findDamage(openPath(folder.path() / "s"), "overlap") != nullptr);
    folder.write("s/shard-00002-model-00001-of-00001.safetensors", slice(4, 1, {5, 6}));
    const Checkpoint holed = openPath(folder.path() / "s");
    CHECK(findDamage(holed, "gap") != nullptr);
    CHECK(holed.lost == std::vector<std::string>{"w"});
    fs::remove(folder.path() / "s/shard-00001-model-00001-of-00001.safetensors");
    CHECK(findDamage(openPath(folder.path() / "s"), "missing-shard") != nullptr);
}
