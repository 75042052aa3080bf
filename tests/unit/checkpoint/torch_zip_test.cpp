// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/checkpoint/checkpoint_reader.h"
#include "core/checkpoint/torch/torch_file.h"
#include "tests/support/catch.h"
#include "tests/support/temp_folder.h"
#include "tests/unit/checkpoint/pickle_builder.h"

#include <algorithm>

using namespace firstbad;
using namespace firstbad::core;
using namespace firstbad::test;
using namespace std::string_literals;

namespace {

Checkpoint read(const std::string& bytes)
{
    JobContext job;
    auto file
        = readTorchZip(ByteSource::ofMemory(std::make_shared<const std::string>(bytes)), {}, job);
    REQUIRE(file);
    return std::move(file->part);
}

PickledView floats(const std::string& key, std::int64_t count)
{
    PickledView view;
    view.key = key;
    view.elements = count;
    view.sizes = {count};
    view.strides = {1};
    return view;
}

/// {'a': 4 floats in data/0, 'b': 6 floats in data/1}
std::string twoTensors()
{
    return pickle(
        pickledDict({{"a", pickledTensor(floats("0", 4))}, {"b", pickledTensor(floats("1", 6))}}));
}

bool hasDamage(const Checkpoint& checkpoint, std::string_view error, std::string_view member)
{
    return std::any_of(
        checkpoint.damage.begin(), checkpoint.damage.end(), [&](const CheckpointDamage& damage) {
            return damage.error == error && damage.member == member && damage.text.size() > 20;
        });
}

using Names = std::vector<std::string>;

}  // namespace

TEST_CASE("a sound archive has its tensors and nothing to complain about", "[torch]")
{
    const Checkpoint part
        = read(torchArchive({{"0", floatBytes(4)}, {"1", floatBytes(6)}}, twoTensors()).bytes());
    CHECK(part.damage.empty());
    REQUIRE(part.tensors.size() == 2);
    CHECK(part.tensors[0].name == "a");
    CHECK(part.tensors[1].shape == std::vector<std::int64_t>{6});
    REQUIRE(part.storages.size() == 2);
    CHECK(part.storages[1].crc32 == crcOf(floatBytes(6)));
    CHECK(part.lost.empty());
}

TEST_CASE("views of every shape are read whole, in logical order", "[torch]")
{
    PickledView transposed = floats("0", 6);
    transposed.sizes = {3, 2};
    transposed.strides = {1, 3};
    PickledView expanded = floats("0", 6);
    expanded.offset = 2;
    expanded.sizes = {2, 2};
    expanded.strides = {0, 1};
    PickledView scalar = floats("0", 6);
    scalar.offset = 5;
    scalar.sizes = {};
    scalar.strides = {};
    const TempFolder folder;
    JobContext job;
    const auto checkpoint = openCheckpoint(
        folder.write("m.pt",
            torchArchive({{"0", floatBytes(6)}},
                pickle(pickledDict({{"t", pickledTensor(transposed)},
                    {"e", pickledTensor(expanded)}, {"s", pickledTensor(scalar)}})))
                .bytes()),
        "m.pt", job);
    REQUIRE(checkpoint);
    REQUIRE(checkpoint->tensors.size() == 3);
    CHECK(checkpoint->storages.size() == 1);
    const std::vector<std::vector<float>> expected{{0, 3, 1, 4, 2, 5}, {2, 3, 2, 3}, {5}};
    for (std::size_t i = 0; i < 3; ++i) {
        const auto bytes = readTensor(*checkpoint, checkpoint->tensors[i], 1000, job);
        REQUIRE(bytes);
        std::vector<float> values(bytes->size() / sizeof(float));
        std::copy(bytes->begin(), bytes->end(), reinterpret_cast<char*>(values.data()));
        CHECK(values == expected[i]);
    }
    CHECK_FALSE(readTensor(*checkpoint, checkpoint->tensors[0], 23, job));
}

TEST_CASE("a lazily conjugated or negated view is read with its own signs", "[torch]")
{
    const std::string hooks = "ccollections\nOrderedDict\n)R";
    const auto tensor
        = [&](const std::string& storageClass, std::int64_t count, const std::string& flag) {
              return "ctorch._utils\n_rebuild_tensor_v2\n("
                  + pickledStorage(storageClass, "0", count) + pickledInt(0) + pickledTuple({count})
                  + pickledTuple({1}) + "\x89" + hooks + pickledDict({{flag, "\x88"}}) + "tR";
          };
    const auto c = GENERATE_COPY(values<std::pair<std::string, std::vector<float>>>({
        {tensor("ComplexFloatStorage", 2, "conj"), {0, -1, 2, -3}},
        {tensor("ComplexFloatStorage", 2, "neg"), {-0.0F, -1, -2, -3}},
        {tensor("FloatStorage", 4, "neg"), {-0.0F, -1, -2, -3}},
    }));
    const TempFolder folder;
    JobContext job;
    const auto checkpoint = openCheckpoint(
        folder.write("m.pt",
            torchArchive({{"0", floatBytes(4)}}, pickle(pickledDict({{"t", c.first}}))).bytes()),
        "m.pt", job);
    REQUIRE(checkpoint);
    REQUIRE(checkpoint->tensors.size() == 1);
    const auto bytes = readTensor(*checkpoint, checkpoint->tensors[0], 1000, job);
    REQUIRE(bytes);
    const std::string expected(
        reinterpret_cast<const char*>(c.second.data()), c.second.size() * sizeof(float));
    CHECK(std::string(bytes->begin(), bytes->end()) == expected);
}

TEST_CASE("a shared tensor is one tensor with two names", "[torch]")
{
    // BINPUT 9 behind the tensor, BINGET 9 for the second name.
    const Checkpoint part = read(torchArchive({{"0", floatBytes(4)}},
        pickle(pickledDict({{"a", pickledTensor(floats("0", 4)) + "q\x09"},
            {"b", "h\x09"}}))).bytes());
    REQUIRE(part.tensors.size() == 1);
    CHECK(part.tensors[0].aliases == Names{"b"});
}

TEST_CASE("views that reach out of their storage are refused by name", "[torch]")
{
    struct Case {
        const char* error;
        PickledView view;
    };
    constexpr std::int64_t kHuge = std::int64_t{1} << 40U;
    const auto c = GENERATE_COPY(values<Case>({
        {"out-of-bounds-view", {"FloatStorage", "0", 4, 1, {4}, {1}}},
        {"out-of-bounds-view", {"FloatStorage", "0", 4, 0, {2}, {4}}},
        {"out-of-bounds-view", {"FloatStorage", "0", 4, 0, {2, 2}, {1}}},
        {"negative-size", {"FloatStorage", "0", 4, 0, {-2}, {1}}},
        {"negative-size", {"FloatStorage", "0", 4, 3, {2}, {-1}}},
        {"negative-size", {"FloatStorage", "0", 4, -1, {2}, {1}}},
        {"size-overflow", {"FloatStorage", "0", 4, 0, {kHuge, kHuge}, {0, 0}}},
        {"size-overflow", {"FloatStorage", "0", 4, 0, {kHuge}, {kHuge}}},
        {"bad-persistent-id", {"NoStorage", "0", 4, 0, {4}, {1}}},
        {"bad-persistent-id", {"FloatStorage", "0", -4, 0, {4}, {1}}},
    }));
    CAPTURE(c.error, c.view.sizes, c.view.strides);
    const Checkpoint part = read(torchArchive({{"0", floatBytes(4)}, {"1", floatBytes(6)}},
        pickle(pickledDict({{"bad", pickledTensor(c.view)}, {"b", pickledTensor(floats("1", 6))}})))
                                     .bytes());
    CHECK(hasDamage(part, c.error, "bad"));
    REQUIRE(part.tensors.size() == 1);
    CHECK(part.tensors[0].name == "b");
    CHECK(std::find(part.lost.begin(), part.lost.end(), "bad") != part.lost.end());
}

TEST_CASE("a view expanded to more elements than atoms is legal and costs nothing", "[torch]")
{
    const PickledView view{
        "FloatStorage", "0", 4, 0, {std::int64_t{1} << 30U, std::int64_t{1} << 30U}, {0, 0}};
    const Checkpoint part = read(torchArchive({{"0", floatBytes(4)}},
        pickle(pickledDict({{"a",
            pickledTensor(view)}}))).bytes());
    CHECK(part.damage.empty());
    CHECK(part.tensors.size() == 1);
}

TEST_CASE("records that are missing, short or long are named with their tensors", "[torch]")
{
    SECTION("missing")
    {
        const Checkpoint part = read(torchArchive({{"0", floatBytes(4)}}, twoTensors()).bytes());
        CHECK(hasDamage(part, "missing-record", "data/1"));
        CHECK(part.lost == Names{"b"});
        CHECK(part.storages[1].coding == StorageCoding::Missing);
    }
    SECTION("short")
    {
        const Checkpoint part = read(
            torchArchive({{"0", floatBytes(4)}, {"1", floatBytes(5)}}, twoTensors()).bytes());
        CHECK(hasDamage(part, "size-mismatch", "data/1"));
        CHECK(part.lost == Names{"b"});
        CHECK(part.storages[1].bytes == 20);
        CHECK(part.storages[1].declaredBytes == 24);
    }
    SECTION("long")
    {
        const Checkpoint part = read(
            torchArchive({{"0", floatBytes(4)}, {"1", floatBytes(9)}}, twoTensors()).bytes());
        CHECK(hasDamage(part, "size-mismatch", "data/1"));
        CHECK(part.lost.empty());
    }
    SECTION("no pickle at all")
    {
        ZipBuilder zip;
        zip.add(plainItem("m/data/0", floatBytes(4))).add(plainItem("m/version", "3\n"));
        CHECK(hasDamage(read(zip.bytes()), "missing-record", "data.pkl"));
    }
}

TEST_CASE("a wrong checksum of the pickle is said, and it is read all the same", "[torch]")
{
    ZipItem item = plainItem("m/data.pkl", twoTensors());
    item.crc += 1;
    ZipBuilder zip;
    zip.add(item)
        .add(plainItem("m/data/0", floatBytes(4)))
        .add(plainItem("m/data/1", floatBytes(6)));
    const Checkpoint part = read(zip.bytes());
    CHECK(hasDamage(part, "crc-mismatch", "data.pkl"));
    CHECK(part.tensors.size() == 2);
}

TEST_CASE("bytes of the other order and newer versions are noted", "[torch]")
{
    ZipBuilder zip = torchArchive({{"0", floatBytes(4)}, {"1", floatBytes(6)}}, twoTensors());
    zip.add(plainItem("m/byteorder", "big")).add(plainItem("m/.data/version", "11\n"));
    const Checkpoint part = read(zip.bytes());
    CHECK(part.storages[0].bigEndian);
    REQUIRE(part.warnings.size() == 1);
    CHECK(part.warnings[0].code == "newer-version");
}

TEST_CASE("a pickle that breaks off names what is lost behind its key", "[torch]")
{
    const std::string whole = pickledDict({{"model",
        pickledDict(
            {{"a", pickledTensor(floats("0", 4))}, {"b", pickledTensor(floats("1", 6))}})}});
    const std::string cut = "\x80\x02" + whole.substr(0, whole.size() - 20);
    const Checkpoint part
        = read(torchArchive({{"0", floatBytes(4)}, {"1", floatBytes(6)}}, cut).bytes());
    CHECK(hasDamage(part, "truncated", "data.pkl"));
    REQUIRE(part.tensors.size() == 1);
    CHECK(part.tensors[0].name == "model.a");
    CHECK(part.lost == Names{"model.b"});
}

TEST_CASE("a pickle that asks for a call is flagged as hostile and its tensors are read", "[torch]")
{
    const std::string call = "cposix\nsystem\n(" + pickledText("true") + "tR";
    const Checkpoint part = read(torchArchive({{"0", floatBytes(4)}},
        pickle(pickledDict({{"x", call}, {"a", pickledTensor(floats("0", 4))}})))
                                     .bytes());
    REQUIRE(part.damage.size() == 1);
    CHECK(part.damage[0].error == "dangerous-global");
    CHECK(part.damage[0].hostile);
    CHECK_THAT(part.damage[0].text, Catch::Contains("posix.system"));
    CHECK(part.tensors.size() == 1);
}

TEST_CASE("a tensor a thousand levels down is refused, the others are read", "[torch]")
{
    std::string deep = pickledTensor(floats("0", 4));
    for (int i = 0; i < 2000; ++i)
        deep += "\x85";
    const Checkpoint part = read(torchArchive({{"0", floatBytes(4)}, {"1", floatBytes(6)}},
        pickle(pickledDict({{"b", pickledTensor(floats("1", 6))},
            {"deep", deep}}))).bytes());
    CHECK(hasDamage(part, "nesting-limit", "data.pkl"));
    REQUIRE(part.tensors.size() == 1);
    CHECK(part.tensors[0].name == "b");
}
