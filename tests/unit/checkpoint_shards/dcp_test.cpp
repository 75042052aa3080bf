// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/catch.h"
#include "tests/unit/checkpoint/golden_files.h"
#include "tests/unit/checkpoint/pickle_builder.h"
#include "tests/unit/checkpoint_shards/safetensors_bytes.h"

using namespace firstbad::core;
using namespace firstbad::test;
namespace fs = std::filesystem;

namespace {

// .metadata of PyTorch 2.6 for {'model': {'w': f32 [[1,2,3],[4,5,nan]]}, 'step': 7}; its data file
// is kDcp26Base64.
constexpr std::string_view kMetadata26Base64
    = ""
      "H4sIAAAAAAACA31STW/TQBA1JKmBtgip5QcggSiHRG3SlhyBtFTBdRq1vaJlbY+zqzpe413TpggJDq2EtDeWGz"
      "+WWTtfEh972p158+bN2/la//m55pRHP1MiD1kr4lLlPCgURK2QQXiRCZ6q1hgUjaiiRt/zZ9cf5sU388Vs6Q2p"
      "qAIS8VCROdAm3LGIIGldGubox+eQSpGfYRs6gj9JHmS5yCBXHKSFP6rgw0WwRG7pRqnTaDdOBFWdNsb1RqVdQs"
      "5pwq+p4iI1epWMQJGETkShLGp9isL5IojMjTk137HTJvEPffL25NR/fU4OB72Tg/7gCPGeUyKUCXRd8msw89b1"
      "M/tExF2vdlvy6JWQFemFNO+t9s2effxzUlfEsQSFYz7xHM+ZMjRsjzI2Zy0CWtjmCrKS9s1EgfwrbaHXsoSmKe"
      "RkZj5zdaO03+g7l+bWsA7r3FigrAgWQEevz9j6aQRXC6W1+GOKhbrBy/gA1Tz/75rEPAE5QcFjo9fIVGo/jcWC"
      "cz2HBD/oE5CMKmZhZJtsl4RhhkZW5qD7eiWBdIQQ/0OtCNirqp71mMsOPIcdL7uH+aNp/h3z2DGWMN//VS+CpY"
      "HtalofV5csXNK1GIPwyOiHVl7CgxZJREjRxftDIfnV0IrGZaojVlU/50qK09iap93dzsu9cC9q7kAQN3cDut/s"
      "xqG9tdttfO7E3X0swM2NbAEaWgSt36yrDtuGAwAA";

std::string object(const std::string& name, const std::string& state)
{
    return "ctorch.distributed.checkpoint.metadata\n" + name + "\n)\x81" + state + "b";
}

std::string size(const std::vector<std::int64_t>& values)
{
    return "ctorch\nSize\n(" + pickledTuple(values) + "tR";
}

struct Chunk {
    std::string file;
    std::int64_t offset = 0;
    std::int64_t length = 0;
    std::vector<std::int64_t> offsets;
    std::vector<std::int64_t> sizes;
    std::string type = "float32";
    std::string transform = {};
};

/// .metadata of one tensor `w` in chunks.
std::string metadata(const std::vector<std::int64_t>& shape, const std::vector<Chunk>& chunks)
{
    std::string list = "](";
    std::string items = "}(";
    for (const Chunk& chunk : chunks) {
        list += object("ChunkStorageMetadata",
            pickledDict({{"offsets", size(chunk.offsets)}, {"sizes", size(chunk.sizes)}}));
        PickledPairs place{{"relative_path", pickledText(chunk.file)},
            {"offset", pickledInt(chunk.offset)}, {"length", pickledInt(chunk.length)}};
        if (!chunk.transform.empty())
            place.emplace_back("transform_descriptors", "](" + pickledText(chunk.transform) + "e");
        items += object("MetadataIndex",
                     pickledDict({{"fqn", pickledText("w")}, {"offset", size(chunk.offsets)},
                         {"index", "N"}}))
            + object("_StorageInfo", pickledDict(place));
    }
    const std::string properties
        = object("TensorProperties", "(ctorch\n" + chunks.at(0).type + "\nN\x89N\x89t");
    const std::string tensor = object("TensorStorageMetadata",
        pickledDict({{"properties", properties}, {"size", size(shape)}, {"chunks", list + "e"}}));
    return pickle(object("Metadata",
        pickledDict({{"state_dict_metadata", pickledDict({{"w", tensor}})}, {"planner_data", "N"},
            {"storage_data", items + "u"}})));
}

/// An item: a torch.save archive of one float32 tensor of two columns.
std::string item(std::int64_t rows)
{
    const PickledView view{"FloatStorage", "0", rows * 2, 0, {rows, 2}, {2, 1}};
    return torchArchive(
        {{"0", floatBytes(static_cast<std::size_t>(rows) * 2)}}, pickle(pickledTensor(view)))
        .bytes();
}

/// Four rows and three rows, in a file each.
struct Example {
    TempFolder folder;
    std::string first = item(4);
    std::string second = item(3);
    std::vector<Chunk> chunks{
        {"__0_0.distcp", 0, static_cast<std::int64_t>(first.size()), {0, 0}, {4, 2}},
        {"__1_0.distcp", 0, static_cast<std::int64_t>(second.size()), {4, 0}, {3, 2}}};

    Checkpoint open(const std::vector<std::int64_t>& shape = {7, 2}) const
    {
        folder.write("save/.metadata", metadata(shape, chunks));
        folder.write("save/__0_0.distcp", first);
        folder.write("save/__1_0.distcp", second);
        return openPath(folder.path() / "save");
    }
};

}  // namespace

TEST_CASE("a distributed checkpoint of PyTorch 2.6 is read as it was written", "[checkpoint][dcp]")
{
    const TempFolder folder;
    folder.write("ckpt/.metadata", gunzipped(fromBase64(kMetadata26Base64)));
    folder.write("ckpt/__0_0.distcp", gunzipped(fromBase64(kDcp26Base64)));

    const Checkpoint checkpoint = openPath(folder.path() / "ckpt");

    CHECK(checkpoint.format == "dcp");
    CHECK(checkpoint.damage.empty());
    CHECK(checkpoint.step == 7);
    REQUIRE(tensorNames(checkpoint) == std::vector<std::string>{"model.w"});
    const CheckpointTensor& w = checkpoint.tensors[0];
    CHECK(w.path.size() == 2);
    CHECK(w.shape == std::vector<std::int64_t>{2, 3});
    REQUIRE(w.pieces.size() == 1);
    CHECK(checkpoint.storages[w.pieces[0].storage].offset == 1312);
}

TEST_CASE("pieces in several files make one tensor", "[checkpoint][dcp]")
{
    const Example example;
    const Checkpoint checkpoint = example.open();
    CHECK(checkpoint.damage.empty());
    REQUIRE(checkpoint.tensors.size() == 1);
    CHECK(checkpoint.tensors[0].shape == std::vector<std::int64_t>{7, 2});
    REQUIRE(checkpoint.tensors[0].pieces.size() == 2);
    CHECK(checkpoint.tensors[0].pieces[1].offsets == std::vector<std::int64_t>{4, 0});
    CHECK(bytesOfTensor(checkpoint, checkpoint.tensors[0]) == floatBytes(8));
}

TEST_CASE("chunks that do not fit the tensor are told", "[checkpoint][dcp]")
{
    const Example example;
    CHECK(findDamage(example.open({8, 2}), "gap") != nullptr);
    CHECK(findDamage(example.open({6, 2}), "out-of-bounds-view") != nullptr);
    Example overlapping;
    overlapping.chunks[1].offsets = {3, 0};
    CHECK(findDamage(overlapping.open(), "overlap") != nullptr);
    Example otherType;
    otherType.chunks[0].type = "float64";
    CHECK(findDamage(otherType.open(), "size-mismatch") != nullptr);
    Example unknownType;
    unknownType.chunks[0].type = "float7";
    CHECK(findDamage(unknownType.open(), "unknown-dtype") != nullptr);
    Example swapped;
    std::swap(swapped.first, swapped.second);
    swapped.chunks[0].length = static_cast<std::int64_t>(swapped.first.size());
    swapped.chunks[1].length = static_cast<std::int64_t>(swapped.second.size());
    CHECK(findDamage(swapped.open(), "size-mismatch") != nullptr);
}

TEST_CASE(
    "files of a distributed checkpoint that are missing or short are told", "[checkpoint][dcp]")
{
    const Example example;
    static_cast<void>(example.open());
    fs::remove(example.folder.path() / "save/__1_0.distcp");
    const Checkpoint missing = openPath(example.folder.path() / "save");
    REQUIRE(findDamage(missing, "missing-shard") != nullptr);
    CHECK(findDamage(missing, "missing-shard")->member == "__1_0.distcp");
    CHECK(missing.lost == std::vector<std::string>{"w"});
    REQUIRE(missing.tensors.size() == 1);
    CHECK(missing.storages[missing.tensors[0].pieces[1].storage].coding == StorageCoding::Missing);

    Example cut;
    cut.second.resize(cut.second.size() / 2);
    const Checkpoint short_ = cut.open();
    REQUIRE(findDamage(short_, "truncated") != nullptr);
    CHECK(findDamage(short_, "truncated")->member == "__1_0.distcp");

    Example past;
    past.chunks[1].offset = 1'000'000;
    const Checkpoint beyond = past.open();
    REQUIRE(findDamage(beyond, "item-past-end") != nullptr);
    CHECK(findDamage(beyond, "item-past-end")->member == "w");
}

TEST_CASE("items are looked for in the folder only", "[checkpoint][dcp]")
{
    for (const char* file : {"../__1_0.distcp", "/etc/passwd", "sub/__1_0.distcp", ""}) {
        CAPTURE(file);
        Example example;
        example.chunks[1].file = file;
        const Checkpoint checkpoint = example.open();
        const CheckpointDamage* damage = findDamage(checkpoint, "path-traversal");
        REQUIRE(damage != nullptr);
        CHECK(damage->hostile);
        CHECK(damage->member == "w");
    }
    const Example linked;
    static_cast<void>(linked.open());
    fs::rename(linked.folder.path() / "save/__1_0.distcp", linked.folder.path() / "out.distcp");
    fs::create_symlink("../out.distcp", linked.folder.path() / "save/__1_0.distcp");
    CHECK(findDamage(openPath(linked.folder.path() / "save"), "symlink-escape") != nullptr);
}

TEST_CASE("a stream transform is named, and nothing is called corrupt", "[checkpoint][dcp]")
{
    Example example;
    for (Chunk& chunk : example.chunks)
        chunk.transform = "stream.zstd/1";
    const Checkpoint checkpoint = example.open();
    CHECK_FALSE(checkpoint.supported);
    CHECK_THAT(checkpoint.reason, Catch::Contains("stream.zstd"));
    CHECK(checkpoint.damage.empty());
    CHECK(checkpoint.tensors.size() == 1);
}

TEST_CASE("a save that never finished is scanned item by item", "[checkpoint][dcp]")
{
    const TempFolder folder;
    folder.write("save/__0_0.distcp", item(4) + item(3));
    folder.write("save/__1_0.distcp", item(2).substr(0, 400));
    const Checkpoint unnamed = openPath(folder.path() / "save");
    REQUIRE(findDamage(unnamed, "incomplete") != nullptr);
    CHECK(findDamage(unnamed, "incomplete")->member == ".metadata");
    CHECK(findDamage(unnamed, "truncated") != nullptr);
    REQUIRE(unnamed.tensors.size() >= 2);
    CHECK(unnamed.tensors[0].name == "__0_0.distcp.@0");
    CHECK(unnamed.tensors[1].shape == std::vector<std::int64_t>{3, 2});

    const Example named;
    static_cast<void>(named.open());
    fs::rename(named.folder.path() / "save/.metadata", named.folder.path() / "save/.metadata.tmp");
    const Checkpoint leftOver = openPath(named.folder.path() / "save");
    CHECK(findDamage(leftOver, "incomplete") != nullptr);
    CHECK(tensorNames(leftOver) == std::vector<std::string>{"w"});
    CHECK(leftOver.lost.empty());
}

TEST_CASE("metadata that was cut off or would run code is told", "[checkpoint][dcp]")
{
    const Example example;
    static_cast<void>(example.open());
    const std::string whole = metadata({7, 2}, example.chunks);
    example.folder.write("save/.metadata", whole.substr(0, whole.size() / 2));
    const Checkpoint cut = openPath(example.folder.path() / "save");
    CHECK_FALSE(cut.damage.empty());

    example.folder.write("save/.metadata", pickle("cos\nsystem\n(" + pickledText("true") + "tR"));
    const Checkpoint hostile = openPath(example.folder.path() / "save");
    REQUIRE(findDamage(hostile, "dangerous-global") != nullptr);
    CHECK(findDamage(hostile, "dangerous-global")->hostile);
}
