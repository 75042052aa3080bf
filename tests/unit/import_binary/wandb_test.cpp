// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/import/binary/wandb_importer.h"
#include "tests/support/catch.h"
#include "tests/unit/import_binary/event_bytes.h"

#include <algorithm>
#include <zlib.h>

using namespace firstbad::core;
using namespace firstbad::test;

namespace {

const std::string kHeader{":W&B\xE1\xBE\x00", 7};

std::string fragment(int type, std::string_view data)
{
    const std::string checked = std::string(1, static_cast<char>(type)) + std::string(data);
    const auto crc = static_cast<std::uint32_t>(::crc32(0,
        reinterpret_cast<const unsigned char*>(checked.data()), static_cast<uInt>(checked.size())));
    return littleEndian(crc) + littleEndian(static_cast<std::uint16_t>(data.size())) + checked;
}

std::string item(std::string_view key, std::string_view json)
{
    return field(1, field(2, key) + "\x82\x01" + varint(json.size()) + std::string(json));
}

std::string history(int step, std::string_view items)
{
    return field(2, std::string(items) + field(2, "\x08" + varint(static_cast<unsigned>(step))));
}

SourceData readBytes(std::string_view bytes)
{
    const TemporaryFolder folder;
    JobContext job;
    auto read = readWandb({folder.write("run-abc.wandb", bytes), "run-abc.wandb", ""}, {}, job);
    REQUIRE(read);
    REQUIRE(read->size() == 1);
    return std::move(read->front());
}

}  // namespace

TEST_CASE("W&B history keeps bare NaN and Infinity, nested names, step and time", "[import][wandb]")
{
    const auto data = readBytes(kHeader
        + fragment(1,
            history(7,
                item("loss", "NaN") + item("_timestamp", "1700000000.5") + item("_step", "7")
                    + item("_runtime", "3")))
        + fragment(1,
            history(8,
                item("loss", "-Infinity")
                    + field(1, field(2, "a") + field(2, "b") + "\x82\x01" + varint(3) + "2.5")
                    + item("nothing", "null") + item("words", "\"hello\"")
                    + item("deep", R"({"x": 1, "y": {"z": 2}})"))));
    std::vector<std::string> names;
    for (const RawColumn& column : data.columns)
        names.push_back(column.name);
    CHECK(names == std::vector<std::string>{"loss", "a.b", "nothing", "deep.x", "deep.y.z"});
    const ColumnBuilder& loss = data.columns[0].points;
    REQUIRE(loss.size() == 2);
    CHECK(loss.stepAt(0) == 7);
    CHECK(loss.timeAt(0) == 1700000000.5);
    CHECK(classify(loss.valueAt(0)) == ValueKind::NotANumber);
    CHECK(classify(loss.valueAt(1)) == ValueKind::MinusInfinity);
    CHECK(data.columns[2].points.missingSize() == 1);
    CHECK(data.runId == "abc");
}

TEST_CASE("A W&B record is joined across fragments and blocks", "[import][wandb]")
{
    const std::string record = history(1, item("note", '"' + std::string(40000, 'x') + '"'))
        + history(2, item("loss", "1.5"));
    const std::size_t first = 32768 - 7 - 7 - 3;  // leaves three bytes of padding
    const auto data = readBytes(kHeader + fragment(2, record.substr(0, first))
        + std::string(3, '\0') + fragment(4, record.substr(first)));
    CHECK(data.info.skipped.empty());
    REQUIRE(data.columns.size() == 1);
    CHECK(data.columns[0].points.stepAt(0) == 2);
}

TEST_CASE("Each way in which a W&B file is broken has its own sentence", "[import][wandb]")
{
    const auto empty = readBytes("");
    const auto three = readBytes(kHeader.substr(0, 3));
    const auto seven = readBytes(kHeader);
    const auto wrong = readBytes("XXXX" + kHeader.substr(4) + "more");
    std::vector<std::string> messages;
    for (const SourceData* data : {&empty, &three, &seven, &wrong}) {
        CHECK(data->info.state == SourceState::Damaged);
        messages.push_back(data->info.message);
    }
    std::sort(messages.begin(), messages.end());
    CHECK(std::adjacent_find(messages.begin(), messages.end()) == messages.end());
    CHECK(empty.info.skipped[0].code == "empty");
    CHECK(three.info.skipped[0].code == "torn-header");
    CHECK(seven.info.skipped[0].code == "no-records");
    CHECK(wrong.info.skipped[0].code == "bad-header");
}

TEST_CASE("A W&B file cut inside a record keeps what was before it", "[import][wandb]")
{
    const std::string good = fragment(1, history(1, item("loss", "1")));
    const auto data = readBytes(kHeader + good + good.substr(0, good.size() - 2));
    CHECK(data.info.state == SourceState::Read);
    REQUIRE(data.info.skipped.size() == 1);
    CHECK(data.info.skipped[0].code == "torn-tail");
    CHECK(data.info.skipped[0].mayBeGrowing);
    CHECK(data.columns[0].points.size() == 1);
}

TEST_CASE("A W&B fragment with a wrong checksum costs only itself", "[import][wandb]")
{
    const std::string good = fragment(1, history(1, item("loss", "1")));
    std::string bad = good;
    bad.back() = static_cast<char>(bad.back() ^ 1);
    const auto data = readBytes(kHeader + good + bad + good);
    REQUIRE(data.info.skipped.size() == 1);
    CHECK(data.info.skipped[0].code == "bad-data-crc");
    CHECK(data.info.skipped[0].offset == kHeader.size() + good.size());
    CHECK(data.columns[0].points.size() == 2);
}

TEST_CASE("W&B records are placed at the training's own step where it is logged", "[import][wandb]")
{
    const auto data = readBytes(kHeader
        + fragment(1, history(0, item("iter", "0") + item("loss", "4.5") + item("_step", "0")))
        + fragment(1, history(1, item("iter", "250") + item("loss", "3.5") + item("_step", "1"))));
    const auto loss = std::find_if(data.columns.begin(), data.columns.end(),
        [](const RawColumn& column) { return column.name == "loss"; });
    REQUIRE(loss != data.columns.end());
    REQUIRE(loss->points.size() == 2);
    CHECK(loss->points.stepAt(0) == 0);
    CHECK(loss->points.stepAt(1) == 250);
}
