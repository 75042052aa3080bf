// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/scan/scan_checkpoint.h"

#include "core/base/value_kind.h"
#include "tests/support/catch.h"
#include "tests/support/checkpoint_builder.h"

#include <algorithm>
#include <limits>
#include <numeric>
#include <rapidcheck.h>
#include <zlib.h>

using namespace firstbad;
using namespace firstbad::core;
using firstbad::test::CheckpointBuilder;

namespace {

constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
constexpr float kInf = std::numeric_limits<float>::infinity();

std::vector<float> counting(std::size_t count)
{
    std::vector<float> values(count);
    std::iota(values.begin(), values.end(), 1.0F);
    return values;
}

CheckpointScan scan(const Checkpoint& checkpoint, ScanOptions options = {})
{
    JobContext job;
    auto done = scanCheckpoint(checkpoint, options, job);
    REQUIRE(done);
    return *done;
}

/// What the pieces show, element by element, in logical order of the whole tensor.
struct Plain {
    std::uint64_t nan = 0, posInf = 0, negInf = 0;
    std::optional<std::uint64_t> first;
};

Plain countPlainly(const CheckpointTensor& tensor, const std::vector<float>& storage)
{
    Plain plain;
    const TensorPiece& piece = tensor.pieces.at(0);
    std::vector<std::int64_t> index(piece.sizes.size(), 0);
    std::uint64_t total = 1;
    for (const std::int64_t size : piece.sizes)
        total *= static_cast<std::uint64_t>(size);
    for (std::uint64_t flat = 0; flat < total; ++flat) {
        std::uint64_t rest = flat;
        std::int64_t at = piece.storageOffset;
        for (std::size_t d = piece.sizes.size(); d-- > 0;) {
            const auto size = static_cast<std::uint64_t>(piece.sizes[d]);
            at += static_cast<std::int64_t>(rest % size) * piece.strides[d];
            rest /= size;
        }
        const ValueKind kind = classify(static_cast<double>(storage[static_cast<std::size_t>(at)]));
        plain.nan += kind == ValueKind::NotANumber ? 1U : 0U;
        plain.posInf += kind == ValueKind::PlusInfinity ? 1U : 0U;
        plain.negInf += kind == ValueKind::MinusInfinity ? 1U : 0U;
        if (kind != ValueKind::Finite && !plain.first)
            plain.first = flat;
    }
    return plain;
}

}  // namespace

TEST_CASE("Counts, range, first index and place of each tensor are told", "[scan]")
{
    CheckpointBuilder builder;
    auto values = counting(100);
    values[57] = kNan;
    values[60] = kInf;
    values[90] = -kInf;
    const auto storage = builder.addStorage(values, 24);
    builder.addPlain("a", storage, {5, 10}, 0);
    builder.addPlain("b", storage, {5, 8}, 50);
    const CheckpointScan result = scan(builder.write());

    REQUIRE(result.tensors.size() == 2);
    CHECK(result.tensors[0].stats.nonfinite() == 0);
    CHECK(result.tensors[0].stats.smallest == 1.0);
    CHECK(result.tensors[0].stats.largest == 50.0);
    CHECK(result.tensors[1].stats.nan == 1);
    CHECK(result.tensors[1].stats.posInf == 1);
    CHECK(result.tensors[1].stats.negInf == 0);
    CHECK(result.tensors[1].stats.firstBad == 7U);
    CHECK(result.tensors[1].firstIndex == std::vector<std::int64_t>{0, 7});
    CHECK(result.tensors[1].firstBits == "7FC00000");
    CHECK(result.tensors[1].fileOffset == 24U + 57U * 4U);
    CHECK(result.tensors[1].stats.largest == 89.0 + 1.0);
    CHECK(result.verdict == ScanVerdict::Nonfinite);
    REQUIRE(result.unreferenced.size() == 1);
    CHECK(result.unreferenced[0].bytes == 40);
    CHECK(result.unreferenced[0].stats.negInf == 1);
}

TEST_CASE("What no tensor shows is told and changes no verdict", "[scan]")
{
    CheckpointBuilder builder;
    auto values = counting(40);
    values[35] = kNan;
    builder.addPlain("a", builder.addStorage(values), {30});
    const CheckpointScan result = scan(builder.write());
    CHECK(result.verdict == ScanVerdict::Finite);
    REQUIRE(result.unreferenced.size() == 1);
    CHECK(result.unreferenced[0].stats.nan == 1);
    CHECK(result.unreferenced[0].bytes == 40);
}

TEST_CASE("Holes of a strided view are unreferenced bytes", "[scan]")
{
    CheckpointBuilder builder;
    auto values = counting(40);  // 10 rows of 4; the tensor shows the first column
    values[6] = kNan;
    values[8] = kInf;
    const auto storage = builder.addStorage(values);
    builder.addTensor("column", {10}, {{storage, 0, {0}, {10}, {4}}});
    const CheckpointScan result = scan(builder.write());
    CHECK(result.tensors[0].stats.posInf == 1);
    CHECK(result.tensors[0].stats.nan == 0);
    CHECK(result.tensors[0].stats.firstBad == 2U);
    REQUIRE(result.unreferenced.size() == 1);
    CHECK(result.unreferenced[0].bytes == 120);
    CHECK(result.unreferenced[0].stats.nan == 1);
}

TEST_CASE("Any view counts what visiting it element by element counts", "[scan]")
{
    const bool holds = rc::check("views", [] {
        CheckpointBuilder builder;
        std::vector<float> values = counting(600);
        const auto places = *rc::gen::container<std::vector<std::size_t>>(
            rc::gen::inRange<std::size_t>(0, values.size()));
        for (std::size_t i = 0; i < places.size(); ++i)
            values[places[i]] = i % 3 == 0 ? kNan : (i % 3 == 1 ? kInf : -kInf);
        const auto storage = builder.addStorage(values, 4);
        for (int v = 0; v < 4; ++v) {
            const auto rank = *rc::gen::inRange<std::size_t>(0, 4);
            TensorPiece piece;
            piece.storage = storage;
            std::int64_t last = piece.storageOffset = *rc::gen::inRange<std::int64_t>(0, 100);
            for (std::size_t d = 0; d < rank; ++d) {
                piece.sizes.push_back(*rc::gen::inRange<std::int64_t>(1, 6));
                piece.strides.push_back(*rc::gen::inRange<std::int64_t>(0, 30));
                last += (piece.sizes.back() - 1) * piece.strides.back();
            }
            RC_PRE(last < 600);
            piece.offsets = CheckpointBuilder::zeros(piece.sizes);
            builder.addTensor("v" + std::to_string(v), piece.sizes, {piece});
        }
        const Checkpoint checkpoint = builder.write();
        ScanOptions options;
        options.pieceBytes = 256;
        JobContext job;
        const auto result = scanCheckpoint(checkpoint, options, job);
        RC_ASSERT(result.has_value());
        for (std::size_t t = 0; t < checkpoint.tensors.size(); ++t) {
            const Plain plain = countPlainly(checkpoint.tensors[t], values);
            const ValueStats& stats = result->tensors[t].stats;
            RC_ASSERT(stats.nan == plain.nan);
            RC_ASSERT(stats.posInf == plain.posInf);
            RC_ASSERT(stats.negInf == plain.negInf);
            RC_ASSERT(stats.firstBad == plain.first);
        }
    });
    CHECK(holds);
}

TEST_CASE("The first index of a sharded tensor counts in the whole tensor", "[scan]")
{
    CheckpointBuilder builder;
    auto left = counting(12);  // columns 0..2 of a 4 x 6 tensor
    auto right = counting(12);  // columns 3..5
    left[9] = kNan;  // row 3, column 0: flat 18
    right[4] = kInf;  // row 1, column 4: flat 10
    const auto first = builder.addStorage(left);
    const auto second = builder.addStorage(right);
    builder.addTensor(
        "w", {4, 6}, {{first, 0, {0, 0}, {4, 3}, {3, 1}}, {second, 0, {0, 3}, {4, 3}, {3, 1}}});
    const CheckpointScan result = scan(builder.write());
    CHECK(result.tensors[0].stats.firstBad == 10U);
    CHECK(result.tensors[0].firstIndex == std::vector<std::int64_t>{1, 4});
    CHECK(result.tensors[0].shards.size() == 2);
    CHECK(result.tensors[0].elements == 24);
}

TEST_CASE("Big-endian storages are turned around", "[scan]")
{
    CheckpointBuilder builder;
    auto values = counting(50);
    values[33] = -kInf;
    builder.addPlain("a", builder.addStorage(values, 0, true), {50});
    const CheckpointScan result = scan(builder.write());
    CHECK(result.tensors[0].stats.negInf == 1);
    CHECK(result.tensors[0].stats.firstBad == 33U);
    CHECK(result.tensors[0].stats.largest == 50.0);
    CHECK(result.tensors[0].firstBits == "FF800000");
    CHECK_FALSE(result.tensors[0].fileOffset);
}

TEST_CASE("Many threads and small pieces change nothing", "[scan]")
{
    CheckpointBuilder builder;
    auto values = counting(300'000);
    values[199'999] = kNan;
    values[299'999] = kInf;
    const auto storage = builder.addStorage(values, 12);
    builder.addPlain("low", storage, {1000, 150}, 0);
    builder.addPlain("high", storage, {150'000}, 150'000);
    const Checkpoint checkpoint = builder.write();
    for (const std::size_t piece : {64U, 4096U, 1U << 20U}) {
        ScanOptions options;
        options.threads = 5;
        options.pieceBytes = piece;
        const CheckpointScan result = scan(checkpoint, options);
        CHECK(result.tensors[0].stats.nonfinite() == 0);
        CHECK(result.tensors[1].stats.firstBad == 49'999U);
        CHECK(result.tensors[1].stats.nonfinite() == 2);
    }
}

TEST_CASE("A checksum that does not fit is damage, and the values are told all the same", "[scan]")
{
    CheckpointBuilder builder;
    auto values = counting(100'000);
    values[7] = kNan;
    builder.addPlain("a", builder.addStorage(values), {100'000});
    Checkpoint checkpoint = builder.write();
    const auto right = static_cast<std::uint32_t>(crc32_z(
        0, reinterpret_cast<const unsigned char*>(builder.bytes().data()), builder.bytes().size()));
    ScanOptions options;
    options.pieceBytes = 4096;
    checkpoint.storages[0].crc32 = right;
    CHECK(scan(checkpoint, options).verdict == ScanVerdict::Nonfinite);
    checkpoint.storages[0].crc32 = right + 1;
    const CheckpointScan result = scan(checkpoint, options);
    CHECK(result.verdict == ScanVerdict::Damaged);
    REQUIRE(result.checkpoint.damage.size() == 1);
    CHECK(result.checkpoint.damage[0].error == "crc-mismatch");
    CHECK(result.checkpoint.damage[0].member == "data/0");
    CHECK(result.tensors[0].stats.nan == 1);
}

TEST_CASE("A file that is shorter than when it was opened is damage, not a crash", "[scan]")
{
    CheckpointBuilder builder;
    builder.addPlain("a", builder.addStorage(counting(1000)), {1000});
    const Checkpoint checkpoint = builder.write();
    std::filesystem::resize_file(builder.path(), 100);
    const CheckpointScan result = scan(checkpoint);
    CHECK(result.verdict == ScanVerdict::Damaged);
    CHECK(result.tensors[0].stats.values <= 25);
}

TEST_CASE("A cancelled scan says so", "[scan]")
{
    CheckpointBuilder builder;
    builder.addPlain("a", builder.addStorage(counting(1000)), {1000});
    std::stop_source stop;
    stop.request_stop();
    JobContext job(stop.get_token());
    const auto result = scanCheckpoint(builder.write(), {}, job);
    REQUIRE_FALSE(result);
    CHECK(result.error().code == ErrorCode::Cancelled);
}

TEST_CASE("-Infinity in a mask is no fault, NaN is", "[scan]")
{
    CheckpointBuilder builder;
    auto values = counting(9);
    values[1] = -kInf;
    const auto storage = builder.addStorage(values);
    builder.addPlain("attn_mask", storage, {3, 3}).kind = TensorKind::Buffer;
    CHECK(scan(builder.write()).verdict == ScanVerdict::Finite);
    builder.checkpoint().tensors[0].name = "weight";
    builder.checkpoint().tensors[0].path[0].text = "weight";
    CHECK(scan(builder.write()).verdict == ScanVerdict::Nonfinite);
}

TEST_CASE(
    "An infinite learning rate spoils a checkpoint, an infinite best metric does not", "[scan]")
{
    CheckpointBuilder builder;
    builder.addPlain("a", builder.addStorage(counting(8)), {8});
    builder.checkpoint().scalars.push_back(
        {{}, "callbacks.EarlyStopping.best_score", std::numeric_limits<double>::infinity()});
    CHECK(scan(builder.write()).verdict == ScanVerdict::Finite);
    builder.checkpoint().scalars.push_back(
        {{}, "optimizer.param_groups.0.lr", std::numeric_limits<double>::quiet_NaN()});
    const CheckpointScan result = scan(builder.write());
    CHECK(result.verdict == ScanVerdict::Nonfinite);
    CHECK(result.badScalars.size() == 2);
    CHECK_THAT(result.reason, Catch::Contains("lr"));
}
