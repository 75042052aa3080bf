// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/checkpoint/checkpoint_reader.h"
#include "core/checkpoint/torch/torch_file.h"
#include "tests/support/catch.h"
#include "tests/support/temp_folder.h"
#include "tests/unit/checkpoint/pickle_builder.h"

using namespace firstbad;
using namespace firstbad::core;
using namespace firstbad::test;

namespace {

std::string header()
{
    return pickle("\x8a\x0a\x6c\xfc\x9c\x46\xf9\x20\x6a\xa8\x50\x19") + pickle(pickledInt(1001))
        + pickle(pickledDict({{"little_endian", "\x88"}}));
}

PickledView floats(const std::string& key, std::int64_t count)
{
    return {"FloatStorage", key, count, 0, {count}, {1}};
}

/// {'a': 3 floats of key 70, 'b': 2 floats of key 8}; storages in the order of their keys as text.
std::string object()
{
    return pickle(
        pickledDict({{"a", pickledTensor(floats("70", 3))}, {"b", pickledTensor(floats("8", 2))}}));
}

std::string keys()
{
    return pickle("](" + pickledText("70") + pickledText("8") + "e");
}

std::string storage(std::size_t count)
{
    return little(count, 8) + floatBytes(count);
}

Checkpoint read(const std::string& bytes)
{
    JobContext job;
    auto file = readTorchLegacy(
        ByteSource::ofMemory(std::make_shared<const std::string>(bytes)), {}, job);
    REQUIRE(file);
    return std::move(file->part);
}

using Names = std::vector<std::string>;

}  // namespace

TEST_CASE("the old format is five pickles and the storages behind them", "[torch]")
{
    const TempFolder folder;
    JobContext job;
    const auto c = openCheckpoint(
        folder.write("old.pt", header() + object() + keys() + storage(3) + storage(2)), "old.pt",
        job);
    REQUIRE(c);
    CHECK(c->format == "torch-legacy");
    CHECK(c->damage.empty());
    REQUIRE(c->tensors.size() == 2);
    CHECK(c->storages[1].member == "8");
    const auto bytes = readTensor(*c, c->tensors[1], 100, job);
    REQUIRE(bytes);
    CHECK(std::string(bytes->begin(), bytes->end()) == floatBytes(2));
}

TEST_CASE("an old file that was cut off says where and what is lost", "[torch]")
{
    const std::string head = header() + object() + keys();
    SECTION("inside a storage")
    {
        const Checkpoint c = read(head + storage(3) + storage(2).substr(0, 12));
        REQUIRE(c.damage.size() == 1);
        CHECK(c.damage[0].error == "truncated");
        CHECK(c.damage[0].member == "8");
        CHECK_THAT(c.damage[0].text, Catch::Contains("4 of 8 bytes"));
        CHECK(c.lost == Names{"b"});
    }
    SECTION("before the storages")
    {
        const Checkpoint c = read(head);
        CHECK(c.damage.at(0).member == "storages");
        CHECK(c.lost == Names{"a", "b"});
    }
    SECTION("inside the list of storages")
    {
        const Checkpoint c = read(header() + object() + keys().substr(0, 9));
        CHECK(c.damage.at(0).member == "storages");
        CHECK(c.tensors.size() == 2);
    }
    SECTION("inside the object")
    {
        const Checkpoint c = read(header() + object().substr(0, 60));
        CHECK(c.damage.at(0).error == "truncated");
        CHECK(c.lost == Names{"a"});
    }
    SECTION("inside the header")
    {
        CHECK(read(header().substr(0, 20)).damage.at(0).error == "truncated");
    }
}

TEST_CASE("a count that contradicts the object stops the reading of storages", "[torch]")
{
    const Checkpoint c = read(header() + object() + keys() + storage(9) + storage(2));
    REQUIRE(c.damage.size() == 1);
    CHECK(c.damage[0].error == "size-mismatch");
    CHECK(c.damage[0].member == "70");
    CHECK(c.lost == Names{"a", "b"});
}

TEST_CASE("the tar of the first PyTorch is refused by name", "[torch]")
{
    std::string tar = "sys_info" + std::string(249, '\0') + "ustar" + std::string(300, '\0');
    const TempFolder folder;
    JobContext job;
    const auto c = openCheckpoint(folder.write("tar.pt", tar), "tar.pt", job);
    REQUIRE(c);
    CHECK(c->format == "torch-legacy");
    CHECK_FALSE(c->supported);
    CHECK_THAT(c->reason, Catch::Contains("PyTorch 0.1"));
}
