// SPDX-License-Identifier: GPL-3.0-or-later
// Files that PyTorch itself wrote: every offset below was read from their bytes.
#include "core/base/value_kind.h"
#include "core/checkpoint/torch/torch_file.h"
#include "tests/support/catch.h"
#include "tests/unit/checkpoint/golden_files.h"

using namespace firstbad;
using namespace firstbad::core;

namespace {

TorchFile read(const std::string& bytes)
{
    JobContext job;
    auto file
        = readTorchFile(ByteSource::ofMemory(std::make_shared<const std::string>(bytes)), {}, job);
    REQUIRE(file);
    return std::move(*file);
}

const CheckpointTensor& find(const Checkpoint& part, std::string_view name)
{
    for (const CheckpointTensor& tensor : part.tensors) {
        if (tensor.name == name)
            return tensor;
    }
    FAIL("no tensor " << name);
    return part.tensors.front();
}

std::string bytesOf(const Checkpoint& part, const CheckpointTensor& tensor)
{
    const auto& bytes = part.storages.at(tensor.pieces.at(0).storage).inlineBytes;
    return {bytes.begin(), bytes.end()};
}

}  // namespace

TEST_CASE("a file of PyTorch 1.13 is read from its golden bytes", "[torch]")
{
    const std::string bytes = test::fromHex(test::kTorch113Hex);
    REQUIRE(bytes.size() == 729);
    const TorchFile file = read(bytes);
    CHECK(file.part.damage.empty());
    CHECK(file.part.format == "torch-zip");
    CHECK(file.end == 729);
    REQUIRE(file.part.tensors.size() == 1);
    const CheckpointTensor& a = file.part.tensors[0];
    CHECK(a.name == "a");
    CHECK(a.type == ElementType::Float32);
    CHECK(a.shape == std::vector<std::int64_t>{2});
    CHECK(bytesOf(file.part, a) == std::string("\x00\x00\x80\x3f\x00\x00\xc0\x7f", 8));
}

TEST_CASE("a file of PyTorch 2.6 is read from its golden bytes", "[torch]")
{
    const std::string bytes = test::gunzipped(test::fromBase64(test::kTorch26Base64));
    REQUIRE(bytes.size() == 2216);
    const TorchFile file = read(bytes);
    const Checkpoint& part = file.part;
    CHECK(part.damage.empty());
    REQUIRE(part.tensors.size() == 6);
    const CheckpointTensor& w = find(part, "w");
    const CheckpointTensor& wt = find(part, "wt");
    CHECK(w.shape == std::vector<std::int64_t>{2, 3});
    CHECK(wt.shape == std::vector<std::int64_t>{3, 2});
    CHECK(wt.pieces[0].strides == std::vector<std::int64_t>{1, 3});
    CHECK(w.pieces[0].storage == wt.pieces[0].storage);
    CHECK(find(part, "bf").type == ElementType::BFloat16);
    CHECK(find(part, "e4").type == ElementType::Float8E4M3FN);
    CHECK(find(part, "e5").type == ElementType::Float8E5M2);
    CHECK(find(part, "u16").type == ElementType::UInt16);
    CHECK(bytesOf(part, find(part, "e5")) == "\x7c\xfc\x7f\x3c");
    REQUIRE(part.scalars.size() == 1);
    CHECK(part.scalars[0].name == "lr");
    CHECK(classify(part.scalars[0].value) == ValueKind::NotANumber);
}

TEST_CASE("an item inside a distributed checkpoint's file is a file of its own", "[torch]")
{
    const std::string bytes = test::gunzipped(test::fromBase64(test::kDcp26Base64));
    REQUIRE(bytes.size() == 2044);
    const ByteSource whole = ByteSource::ofMemory(std::make_shared<const std::string>(bytes));
    JobContext job;
    const auto step = readTorchZip(whole.part(0, 864), {}, job);
    REQUIRE(step);
    CHECK(step->part.damage.empty());
    CHECK(step->part.tensors.empty());
    REQUIRE(step->part.scalars.size() == 1);
    CHECK(step->part.scalars[0].value == 7.0);
    const auto weight = readTorchZip(whole.part(864, 1180), {}, job);
    REQUIRE(weight);
    CHECK(weight->part.damage.empty());
    REQUIRE(weight->part.tensors.size() == 1);
    CHECK(weight->part.tensors[0].shape == std::vector<std::int64_t>{2, 3});
    CHECK(bytesOf(weight->part, weight->part.tensors[0]) == bytes.substr(1312, 24));
}

TEST_CASE("a golden file cut anywhere is described, never misread", "[torch]")
{
    const std::string bytes = test::gunzipped(test::fromBase64(test::kTorch26Base64));
    JobContext job;
    for (std::size_t length = 0; length < bytes.size(); length += 7) {
        CAPTURE(length);
        const auto file = readTorchZip(
            ByteSource::ofMemory(std::make_shared<const std::string>(bytes, 0, length)), {}, job);
        REQUIRE(file);
        REQUIRE_FALSE(file->part.damage.empty());
        CHECK(file->part.damage[0].text.size() > 20);
        // All of w lies before byte 920.
        const bool lost = std::find(file->part.lost.begin(), file->part.lost.end(), "w")
            != file->part.lost.end();
        if (length >= 920 && !file->part.tensors.empty())
            CHECK_FALSE(lost);
    }
}
