// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/checkpoint/safetensors/writer.h"

#include "tests/support/catch.h"
#include "tests/unit/checkpoint_shards/safetensors_bytes.h"

using namespace firstbad::core;
using namespace firstbad::test;

namespace {

std::span<const char> spanOf(const std::string& bytes)
{
    return {bytes.data(), bytes.size()};
}

}  // namespace

TEST_CASE("what the writer writes, the reader reads", "[checkpoint][safetensors]")
{
    const TempFolder folder;
    const auto path = folder.path() / "out.safetensors";
    const std::vector<SafetensorsPlan> plan{
        {"forward/blocks.0.attn.q", ElementType::Float32, {2, 2}},
        {"empty", ElementType::Float64, {0, 3}},
        {"scalar \"quoted\"", ElementType::BFloat16, {}},
    };
    const std::vector<std::pair<std::string, std::string>> metadata{{"step", "7"}};
    const std::string first = floatBytes({1.0F, 2.0F, 3.0F, 4.0F});

    auto writer = SafetensorsWriter::create(path, plan, metadata);
    REQUIRE(writer);
    REQUIRE(writer->append(spanOf(first.substr(0, 5))));
    REQUIRE(writer->append(spanOf(first.substr(5) + "\x80\x3f")));
    CHECK_FALSE(std::filesystem::exists(path));
    REQUIRE(writer->finish());

    const Checkpoint checkpoint = openPath(path);
    CHECK(checkpoint.damage.empty());
    CHECK(checkpoint.step == 7);
    CHECK(tensorNames(checkpoint)
        == std::vector<std::string>{"forward/blocks.0.attn.q", "empty", "scalar \"quoted\""});
    CHECK(bytesOfTensor(checkpoint, checkpoint.tensors[0]) == first);
    CHECK(bytesOfTensor(checkpoint, checkpoint.tensors[1]).empty());
    CHECK(bytesOfTensor(checkpoint, checkpoint.tensors[2]) == "\x80\x3f");
    CHECK(checkpoint.storages[0].offset % 8 == 0);
}

TEST_CASE("the writer refuses what the format has not", "[checkpoint][safetensors]")
{
    const TempFolder folder;
    const auto path = folder.path() / "out.safetensors";
    const auto refused = [&path](std::vector<SafetensorsPlan> plan) {
        const auto writer = SafetensorsWriter::create(path, plan);
        return !writer && writer.error().code == ErrorCode::InvalidArgument;
    };
    CHECK(refused({{"a", ElementType::Float32, {1}}, {"a", ElementType::Float32, {1}}}));
    CHECK(refused({{"__metadata__", ElementType::Float32, {1}}}));
    CHECK(refused({{"a", ElementType::Complex128, {1}}}));
    CHECK(refused({{"a", ElementType::Float4E2M1X2, {3}}}));
    CHECK(refused({{"a", ElementType::Float32, {-1}}}));
    CHECK(refused({{"\xff", ElementType::Float32, {1}}}));
    CHECK(std::filesystem::is_empty(folder.path()));
}

TEST_CASE("a file that was not finished is not there", "[checkpoint][safetensors]")
{
    const TempFolder folder;
    const auto path = folder.path() / "out.safetensors";
    const std::vector<SafetensorsPlan> plan{{"a", ElementType::Float32, {2}}};
    {
        auto writer = SafetensorsWriter::create(path, plan);
        REQUIRE(writer);
        REQUIRE(writer->append(spanOf("1234")));
        CHECK_FALSE(writer->finish());
        CHECK_FALSE(writer->append(spanOf("12345")));
    }
    CHECK(std::filesystem::is_empty(folder.path()));
}

TEST_CASE("a full or missing folder is an error of the writer", "[checkpoint][safetensors]")
{
    const TempFolder folder;
    const std::vector<SafetensorsPlan> plan{{"a", ElementType::Float32, {2}}};
    CHECK_FALSE(SafetensorsWriter::create(folder.path() / "no" / "x.safetensors", plan));
}
