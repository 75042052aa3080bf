// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/import/binary/tfevents_importer.h"
#include "tests/support/catch.h"
#include "tests/unit/import_binary/event_bytes.h"

#include <algorithm>
#include <cmath>

using namespace firstbad::core;
using namespace firstbad::test;

namespace {

SourceData readBytes(
    std::string_view bytes, const std::string& name = "run/events.out.tfevents.1700000000.host.1.0")
{
    const TemporaryFolder folder;
    const auto path = folder.write(name, bytes);
    const auto hint = path.parent_path().lexically_relative(folder.path()).string();
    JobContext job;
    auto read = readTfevents({path, name, hint}, {}, job);
    REQUIRE(read);
    REQUIRE(read->size() == 1);
    return std::move(read->front());
}

const RawColumn& columnOf(const SourceData& data, std::string_view name)
{
    const auto found = std::find_if(data.columns.begin(), data.columns.end(),
        [&](const RawColumn& column) { return column.name == name; });
    REQUIRE(found != data.columns.end());
    return *found;
}

/// The one value that a rank-0 tensor with these fields gives.
double tensorNumber(std::string_view tensor)
{
    const auto data = readBytes(
        versionRecord() + tfRecord(eventBytes(2.0, 1, tensorValue("t", tensor, "scalars"))));
    REQUIRE(columnOf(data, "t").points.size() == 1);
    return columnOf(data, "t").points.valueAt(0);
}

std::string dtype(int code)
{
    return std::string("\x08") + static_cast<char>(code);
}

}  // namespace

TEST_CASE("A tensor scalar is read in every type and encoding", "[import][tfevents]")
{
    const auto content
        = [](int type, std::string_view raw) { return tensorNumber(dtype(type) + field(4, raw)); };
    CHECK(tensorNumber(dtype(1) + field(5, littleEndian(2.5F))) == 2.5);
    CHECK(tensorNumber(dtype(1) + "\x2d" + littleEndian(2.5F)) == 2.5);
    CHECK(tensorNumber(dtype(2) + field(6, littleEndian(0.1))) == 0.1);
    CHECK(tensorNumber(dtype(2) + "\x31" + littleEndian(0.1)) == 0.1);
    CHECK(content(1, littleEndian(-1.5F)) == -1.5);
    CHECK(content(2, littleEndian(1e300)) == 1e300);
    CHECK(content(3, littleEndian(std::int32_t{-7})) == -7.0);
    CHECK(content(4, "\xff") == 255.0);
    CHECK(content(5, littleEndian(std::int16_t{-300})) == -300.0);
    CHECK(content(6, "\xff") == -1.0);
    CHECK(content(9, littleEndian(std::int64_t{-5})) == -5.0);
    CHECK(content(10, "\x01") == 1.0);
    CHECK(content(14, littleEndian(std::uint16_t{0x3FC0})) == 1.5);
    CHECK(content(17, littleEndian(std::uint16_t{60000})) == 60000.0);
    CHECK(content(19, littleEndian(std::uint16_t{0x7BFF})) == 65504.0);
    CHECK(content(19, littleEndian(std::uint16_t{0x0001})) == std::ldexp(1.0, -24));
    CHECK(content(22, littleEndian(std::uint32_t{4000000000U})) == 4e9);
    CHECK(content(23, littleEndian(std::uint64_t{1} << 63U)) == 9223372036854775808.0);
    CHECK(content(24, "\x7b") == 57344.0);
    CHECK(content(25, "\x7e") == 448.0);
    CHECK(tensorNumber(dtype(9) + field(10, varint(static_cast<std::uint64_t>(-7)))) == -7.0);
    CHECK(tensorNumber(dtype(3) + "\x38" + varint(41)) == 41.0);
    CHECK(tensorNumber(dtype(19) + field(13, varint(0x3E00))) == 1.5);
    CHECK(tensorNumber(dtype(101) + field(5, littleEndian(2.5F))) == 2.5);
    CHECK(classify(content(19, littleEndian(std::uint16_t{0xFC00}))) == ValueKind::MinusInfinity);
    CHECK(classify(content(25, "\x7f")) == ValueKind::NotANumber);
    CHECK(classify(content(14, littleEndian(std::uint16_t{0x7F80}))) == ValueKind::PlusInfinity);
}

TEST_CASE("What is no scalar is named in a note and is no damage", "[import][tfevents]")
{
    const std::string vectorShape = field(2, field(2, "\x08\x02"));
    const auto data = readBytes(versionRecord()
        + tfRecord(
            eventBytes(2.0, 0, tensorValue("text", dtype(7) + field(8, "loss: nan"), "text")))
        + tfRecord(eventBytes(2.0, 1,
            simpleValue("loss", 1.0F)
                + tensorValue(
                    "vector", dtype(1) + vectorShape + field(4, "12345678"), "scalars"))));
    REQUIRE(data.columns.size() == 1);
    CHECK(data.info.skipped.empty());
    REQUIRE(data.events.size() == 1);
    CHECK(data.events[0].kind == EventKind::Note);
    CHECK(data.events[0].text.find("1 text values") != std::string::npos);
    CHECK(data.events[0].text.find("1 tensors with dimensions") != std::string::npos);
}

TEST_CASE("Metadata of a tag's first value holds for the later ones", "[import][tfevents]")
{
    const std::string number = dtype(1) + field(5, littleEndian(1.0F));
    const auto data = readBytes(versionRecord()
        + tfRecord(eventBytes(2.0, 1, tensorValue("mesh", number, "mesh")))
        + tfRecord(eventBytes(2.0, 2, tensorValue("mesh", number, "")))
        + tfRecord(eventBytes(2.0, 3, tensorValue("loss", number, "scalars")))
        + tfRecord(eventBytes(2.0, 4, tensorValue("loss", number, ""))));
    REQUIRE(data.columns.size() == 1);
    CHECK(columnOf(data, "loss").points.size() == 2);
}

TEST_CASE("A START mark in the middle of a file is a certain break", "[import][tfevents]")
{
    const std::string start = field(7, "\x08\x01");
    const auto data = readBytes(versionRecord() + tfRecord(eventBytes(1.0, 1, "", start))
        + tfRecord(eventBytes(2.0, 1, simpleValue("loss", 1.0F)))
        + tfRecord(eventBytes(3.0, 2, simpleValue("loss", 1.0F)))
        + tfRecord(eventBytes(4.0, 2, "", start))
        + tfRecord(eventBytes(5.0, 2, simpleValue("loss", 1.0F))));
    REQUIRE(data.breaks.size() == 1);
    CHECK(data.breaks[0].certain);
    CHECK(data.breaks[0].step == 2);
    CHECK(data.breaks[0].points == std::vector<std::size_t>{2});
    CHECK(std::count_if(data.events.begin(), data.events.end(), [](const LogEvent& event) {
        return event.kind == EventKind::RunStart;
    }) == 2);
}

TEST_CASE("Steps that go back are certain only in files of the old version", "[import][tfevents]")
{
    const std::string body = tfRecord(eventBytes(2.0, 10, simpleValue("loss", 1.0F)))
        + tfRecord(eventBytes(3.0, 5, simpleValue("loss", 1.0F) + simpleValue("lr", 1.0F)));
    const auto old = readBytes(body);
    const auto current = readBytes(versionRecord() + body);
    REQUIRE(old.breaks.size() == 1);
    CHECK(old.breaks[0].certain);
    REQUIRE(current.breaks.size() == 1);
    CHECK_FALSE(current.breaks[0].certain);
    CHECK(current.breaks[0].points == std::vector<std::size_t>{1});
}

TEST_CASE("Tags on different axes are no restart", "[import][tfevents]")
{
    std::string bytes = versionRecord();
    for (int step = 1; step <= 5; ++step) {
        bytes += tfRecord(eventBytes(step, step, simpleValue("lm loss", 2.0F)));
        bytes += tfRecord(eventBytes(step, step * 512, simpleValue("lm loss vs samples", 2.0F)));
    }
    const auto data = readBytes(bytes);
    CHECK(data.breaks.empty());
    CHECK(columnOf(data, "lm loss").axis == StepAxis::Step);
    CHECK(columnOf(data, "lm loss vs samples").axis == StepAxis::Samples);
    CHECK(columnOf(data, "lm loss vs samples").quantity == Quantity::Loss);
}

TEST_CASE("A NaN wall time keeps its point", "[import][tfevents]")
{
    const auto data = readBytes(versionRecord()
        + tfRecord(eventBytes(std::numeric_limits<double>::quiet_NaN(), 1, simpleValue("a", kInf)))
        + tfRecord(eventBytes(7.0, 2, simpleValue("a", kNan))));
    const RawColumn& column = columnOf(data, "a");
    REQUIRE(column.points.size() == 2);
    CHECK(classify(column.points.valueAt(0)) == ValueKind::PlusInfinity);
    CHECK(classify(column.points.timeAt(0)) == ValueKind::NotANumber);
    CHECK(column.points.timeAt(1) == 7.0);
}

TEST_CASE(
    "A curve of add_scalars carries its key and belongs to the parent's run", "[import][tfevents]")
{
    const std::string bytes
        = versionRecord() + tfRecord(eventBytes(2.0, 1, simpleValue("loss/all", 1.0F)));
    const auto curve = readBytes(bytes, "exp/loss_all_val split/events.out.tfevents.5.h.1.1");
    const auto parent = readBytes(bytes, "exp/events.out.tfevents.5.h.1.0");
    const auto slash = readBytes(bytes, "exp/loss_all_a/b/events.out.tfevents.5.h.1.2");
    CHECK(curve.columns[0].name == "loss/all [val split]");
    CHECK(curve.columns[0].quantity == Quantity::Other);
    CHECK(curve.runId == "exp");
    CHECK(parent.columns[0].name == "loss/all");
    CHECK(parent.runId == "exp");
    CHECK(slash.columns[0].name == "loss/all [a/b]");
    CHECK(slash.runId == "exp");
    CHECK(curve.orderHint == 5.0);
}

TEST_CASE("A gap names the steps on both sides", "[import][tfevents]")
{
    const auto data
        = readBytes(versionRecord() + tfRecord(eventBytes(2.0, 41, simpleValue("a", 1.0F)))
            + std::string(4096, '\0') + tfRecord(eventBytes(2.0, 42, simpleValue("a", 1.0F))));
    REQUIRE(data.info.skipped.size() == 1);
    CHECK(data.info.skipped[0].reason.find("step 41") != std::string::npos);
    CHECK(data.info.skipped[0].reason.find("step 42") != std::string::npos);
}

TEST_CASE("A record that is no event is skipped whole", "[import][tfevents]")
{
    std::string half = eventBytes(2.0, 1, simpleValue("a", 1.0F));
    half += "\x2a\x50";  // a summary that claims 80 bytes
    const auto data = readBytes(
        versionRecord() + tfRecord(half) + tfRecord(eventBytes(2.0, 2, simpleValue("a", 1.0F))));
    REQUIRE(data.info.skipped.size() == 1);
    CHECK(data.info.skipped[0].code == "bad-payload");
    CHECK(columnOf(data, "a").points.size() == 1);
}

TEST_CASE("An empty event file is damaged and says so", "[import][tfevents]")
{
    const auto data = readBytes("");
    CHECK(data.info.state == SourceState::Damaged);
    CHECK(data.info.message.find("0 bytes") != std::string::npos);
    CHECK(data.info.skipped[0].code == "empty");
}

TEST_CASE("Event files are known by their first record, not by their name", "[import][tfevents]")
{
    const auto sniff = [](const char* name, std::string_view bytes, std::string_view text = {}) {
        return sniffTfevents({name, false, bytes.size(), bytes, text});
    };
    CHECK(sniff("anything", versionRecord()) == 100);
    CHECK(sniff("events.out.tfevents.1.h", "") > 0);
    CHECK(sniff("events.out.tfevents.1.h", "not one", "not one") == 0);
    CHECK(sniff("data.tfrecord", tfRecord(field(1, "example"))) == 0);
    CHECK(sniff("x.bin", std::string(100, '\1')) == 0);
}
