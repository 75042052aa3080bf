// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/unit/checkpoint_shards/safetensors_bytes.h"

#include "core/checkpoint/safetensors/header_json.h"
#include "tests/support/catch.h"

using namespace firstbad::core;
using namespace firstbad::test;

namespace {

constexpr std::string_view kTwo = R"({"a":{"dtype":"F32","shape":[2],"data_offsets":[0,8]},)"
                                  R"("b":{"dtype":"F16","shape":[2,3],"data_offsets":[8,20]}})";

Checkpoint openBytes(const std::string& bytes, const std::string& name = "x.safetensors")
{
    const TempFolder folder;
    return openPath(folder.write(name, bytes));
}

}  // namespace

TEST_CASE("a sound safetensors file is described without its data", "[checkpoint][safetensors]")
{
    const TempFolder folder;
    const auto path = folder.write(
        "x.safetensors", safetensorsFile(kTwo, floatBytes({1.0F, 2.0F}) + std::string(12, '\1')));

    const Checkpoint checkpoint = openPath(path);

    CHECK(checkpoint.format == "safetensors");
    CHECK(checkpoint.damage.empty());
    CHECK(tensorNames(checkpoint) == std::vector<std::string>{"a", "b"});
    const CheckpointTensor& b = checkpoint.tensors[1];
    CHECK(b.type == ElementType::Float16);
    CHECK(b.shape == std::vector<std::int64_t>{2, 3});
    REQUIRE(b.pieces.size() == 1);
    CHECK(b.pieces[0].strides == std::vector<std::int64_t>{3, 1});
    const Storage& storage = checkpoint.storages[b.pieces[0].storage];
    CHECK(storage.offset == 8 + kTwo.size() + 8);
    CHECK(storage.bytes == 12);
    CHECK(bytesOfTensor(checkpoint, checkpoint.tensors[0]) == floatBytes({1.0F, 2.0F}));
}

TEST_CASE("a safetensors file without tensors is a sound checkpoint", "[checkpoint][safetensors]")
{
    const Checkpoint checkpoint = openBytes(safetensorsFile("{}      ", ""));
    CHECK(checkpoint.damage.empty());
    CHECK(checkpoint.tensors.empty());
}

TEST_CASE("step and parent in __metadata__ are taken", "[checkpoint][safetensors]")
{
    const Checkpoint checkpoint = openBytes(safetensorsFile(
        R"({"__metadata__":{"format":"pt","step":"22800","parent":"iter_22000"}})", ""));
    CHECK(checkpoint.step == 22800);
    CHECK(checkpoint.parent == "iter_22000");
    REQUIRE(checkpoint.texts.size() == 3);
    CHECK(checkpoint.texts[0].name == "__metadata__.format");
}

TEST_CASE("every rule that a safetensors file breaks is named", "[checkpoint][safetensors]")
{
    struct Case {
        const char* name;
        std::string bytes;
        const char* error;
        const char* member;
        std::vector<std::string> readable;
        const char* says;
    };
    const std::string data(20, '\0');
    const auto one = [](const char* entry) { return R"({"a":)" + std::string(entry) + "}"; };
    const std::vector<Case> cases{
        {"length beyond the file", safetensorsFile(kTwo, data, 1000), "bad-header", "header length",
            {}, "exceeds the file size"},
        {"length beyond the limit", safetensorsFile(kTwo, data, std::int64_t{1} << 60),
            "header-too-large", "header length", {}, "100,000,000"},
        {"no JSON", safetensorsFile(R"({"a": nope})", ""), "bad-header", "header", {}, "JSON"},
        {"bytes after the JSON", safetensorsFile("{}x", ""), "bad-header", "header", {}, "goes on"},
        {"a header that is a list", safetensorsFile(R"([1])", "").replace(8, 1, "["), "", "", {},
            ""},
        {"text that is not UTF-8", safetensorsFile("{\"\xff\":{}}", ""), "bad-header", "header", {},
            "UTF-8"},
        {"an entry without a type",
            safetensorsFile(one(R"({"shape":[1],"data_offsets":[0,4]})"), std::string(4, '\0')),
            "bad-header", "header", {}, "without dtype"},
        {"a negative dimension",
            safetensorsFile(one(R"({"dtype":"F32","shape":[-1],"data_offsets":[0,4]})"), "xxxx"),
            "bad-header", "header", {}, "negative"},
        {"overlap",
            safetensorsFile(R"({"a":{"dtype":"F32","shape":[3],"data_offsets":[0,12]},)"
                            R"("b":{"dtype":"F32","shape":[3],"data_offsets":[8,20]}})",
                data),
            "overlap", "a / b", {"a", "b"}, "overlap by 4 bytes"},
        {"gap",
            safetensorsFile(R"({"a":{"dtype":"F32","shape":[1],"data_offsets":[0,4]},)"
                            R"("b":{"dtype":"F32","shape":[2],"data_offsets":[12,20]}})",
                data),
            "gap", "b", {"a", "b"}, "8 bytes before b"},
        {"a name twice",
            safetensorsFile(R"({"a":{"dtype":"F32","shape":[1],"data_offsets":[0,4]},)"
                            R"("b":{"dtype":"F32","shape":[1],"data_offsets":[4,8]},)"
                            R"("a":{"dtype":"F32","shape":[3],"data_offsets":[8,20]}})",
                data),
            "duplicate-key", "a", {"b"}, "more than once"},
        {"a shape that is not the range",
            safetensorsFile(R"({"a":{"dtype":"F32","shape":[2],"data_offsets":[0,12]},)"
                            R"("b":{"dtype":"F32","shape":[2],"data_offsets":[12,20]}})",
                data),
            "size-mismatch", "a", {"b"}, "12 bytes of its range"},
        {"a shape beyond counting",
            safetensorsFile(
                one(R"({"dtype":"F32","shape":[4294967296,4294967296,4],"data_offsets":[0,4]})"),
                "xxxx"),
            "size-overflow", "a", {}, "64 bits"},
        {"a range that ends before it begins",
            safetensorsFile(one(R"({"dtype":"F32","shape":[0],"data_offsets":[4,0]})"), "xxxx"),
            "size-mismatch", "a", {}, "before it begins"},
        {"a type that nobody knows",
            safetensorsFile(one(R"({"dtype":"F7","shape":[4],"data_offsets":[0,4]})"), "xxxx"),
            "unknown-dtype", "a", {}, "dtype F7"},
        {"half a byte",
            safetensorsFile(one(R"({"dtype":"F4","shape":[3],"data_offsets":[0,2]})"), "xx"),
            "size-mismatch", "a", {}, "F4"},
        {"bytes behind the last tensor",
            safetensorsFile(one(R"({"dtype":"F32","shape":[1],"data_offsets":[0,4]})"), "xxxxyyy"),
            "trailing-bytes", "x.safetensors", {"a"}, "3 bytes"},
    };
    for (const Case& c : cases) {
        CAPTURE(c.name);
        const TempFolder folder;
        const Checkpoint checkpoint = openPath(folder.write("x.safetensors", c.bytes));
        if (*c.error == '\0')
            continue;  // only has to come back
        const CheckpointDamage* damage = findDamage(checkpoint, c.error);
        REQUIRE(damage != nullptr);
        CHECK(damage->member == c.member);
        CHECK_THAT(damage->text, Catch::Contains(c.says));
        CHECK(tensorNames(checkpoint) == c.readable);
        CHECK_FALSE(damage->hostile);
    }
}

TEST_CASE("a safetensors file that was cut off keeps what is there", "[checkpoint][safetensors]")
{
    const TempFolder folder;
    const auto path
        = folder.write("x.safetensors", safetensorsFile(kTwo, floatBytes({1.0F, 2.0F}) + "12345"));

    const Checkpoint checkpoint = openPath(path);

    const CheckpointDamage* damage = findDamage(checkpoint, "truncated");
    REQUIRE(damage != nullptr);
    CHECK(damage->member == "b");
    CHECK_THAT(damage->text, Catch::Contains("5 of 12 bytes"));
    CHECK(checkpoint.lost == std::vector<std::string>{"b"});
    const CheckpointTensor* b = findTensor(checkpoint, "b");
    REQUIRE(b != nullptr);
    CHECK(checkpoint.storages[b->pieces[0].storage].bytes == 5);
    CHECK(bytesOfTensor(checkpoint, *b) == "12345");
}

TEST_CASE("a tensor wholly behind the end has no bytes", "[checkpoint][safetensors]")
{
    const Checkpoint checkpoint = openBytes(safetensorsFile(kTwo, "1234"));
    CHECK(checkpoint.lost == std::vector<std::string>{"a", "b"});
    CHECK(checkpoint.missing == checkpoint.lost);
    const CheckpointTensor* b = findTensor(checkpoint, "b");
    REQUIRE(b != nullptr);
    CHECK(checkpoint.storages[b->pieces[0].storage].coding == StorageCoding::Missing);
}

TEST_CASE("names behind a wrong header length are still told", "[checkpoint][safetensors]")
{
    const Checkpoint checkpoint = openBytes(safetensorsFile(kTwo, std::string(20, '\0'), 5000));
    CHECK(checkpoint.missing == std::vector<std::string>{"a", "b"});
    CHECK(checkpoint.tensors.empty());
}

TEST_CASE("a web page under a safetensors name is told as what it is", "[checkpoint][safetensors]")
{
    const Checkpoint page = openBytes("<!DOCTYPE html><html><body>404</body></html>");
    CHECK(findDamage(page, "html-page") != nullptr);
    const Checkpoint pointer = openBytes(
        "version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 1234\n", "m.safetensors");
    CHECK(findDamage(pointer, "lfs-pointer") != nullptr);
}

TEST_CASE("a header that is cut inside a character, or is not UTF-8, is refused", "[checkpoint]")
{
    for (const char* text :
        {"{\n\"XXXXXXXX\xE0", "{\"a\xE0", "{\"\xFF\": {}}", "{\"a\": {\"dtype\": \"\xC3\"}}"}) {
        const HeaderJson header = parseHeaderJson(text);
        CHECK(header.problem);
    }
}
