// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/import/binary/crc32c.h"
#include "core/import/binary/event_decoder.h"
#include "core/import/binary/tfrecord_reader.h"
#include "tests/support/catch.h"
#include "tests/unit/import_binary/event_bytes.h"

#include <string>

using namespace firstbad::core;
using namespace firstbad::test;

TEST_CASE("CRC-32C gives the published check values both ways", "[import][crc]")
{
    CHECK(crc32c("123456789") == 0xE3069283U);
    CHECK(crc32cPortable("123456789") == 0xE3069283U);
    CHECK(crc32c(std::string(32, '\0')) == 0x8A9136AAU);
    CHECK(maskedCrc(crc32c(std::string_view("\x18\0\0\0\0\0\0\0", 8))) == 0x224B7FA3U);
    CHECK(maskedCrc(crc32c("\x1a\x11"
                           "CRC test, one two"))
        == 0x5794D08AU);
    CHECK(maskedCrc(crc32c(std::string(8, '\0'))) == 0x07980329U);
    CHECK(maskedCrc(crc32c("")) == 0xA282EAD8U);
}

TEST_CASE("The fast CRC agrees with the portable one at every length", "[import][crc]")
{
    std::string bytes;
    for (unsigned i = 0; i < 300; ++i) {
        CHECK(crc32c(bytes) == crc32cPortable(bytes));
        bytes += static_cast<char>(i * 37U + 11U);
    }
}

TEST_CASE("The reference record of a NaN loss decodes to its fields", "[import][tfevents]")
{
    const std::string file = fromHex("1a00000000000000129bd82d09000000000000f83f1003"
                                     "2a0d0a0b0a046c6f7373150000c07fcedcdca4");
    CHECK(tfRecord(eventBytes(1.5, 3, simpleValue("loss", kNan))) == file);
    const auto records = readRecords(file);
    REQUIRE(records.size() == 1);
    EventMessage event;
    REQUIRE(decodeEvent(records.front(), event));
    CHECK(event.wallTime == 1.5);
    CHECK(event.step == 3);
    REQUIRE(event.values.size() == 1);
    CHECK(event.values[0].tag == "loss");
    CHECK(classify(event.values[0].value) == ValueKind::NotANumber);
}

TEST_CASE("Each kind of damage is named with its place and costs only its own record",
    "[import][tfevents]")
{
    std::vector<std::string> records;
    for (int step = 1; step <= 6; ++step)
        records.push_back(tfRecord(eventBytes(100.0 + step, step, simpleValue("loss", 2.0F))));
    const auto joined = [&](std::size_t from, std::size_t to) {
        std::string all;
        for (std::size_t i = from; i < to; ++i)
            all += records[i];
        return all;
    };
    const std::string whole = joined(0, 6);
    const std::size_t third = records[0].size() + records[1].size();
    const std::size_t size = records[2].size();
    const auto damaged = [](std::string bytes, std::size_t at) {
        bytes[at] = static_cast<char>(bytes[at] ^ 0x40);
        return bytes;
    };
    struct Case {
        const char* code;
        std::string bytes;
        std::size_t records;
        std::size_t offset;
        std::size_t length;
        bool growing;
    };
    const std::vector<Case> cases{
        {"bad-data-crc", damaged(whole, third + 20), 5, third, size, false},
        {"bad-length-crc", damaged(whole, third + 9), 5, third, size, false},
        {"bad-length-crc", damaged(whole, third + 6), 5, third, size, false},
        {"zero-fill", joined(0, 2) + std::string(4096, '\0') + joined(2, 6), 6, third, 4096, false},
        {"zero-fill", whole + std::string(512, '\0'), 6, whole.size(), 512, false},
        {"garbage", joined(0, 2) + std::string(99, 'x') + joined(2, 6), 6, third, 99, false},
        {"garbage", whole + std::string(50, 'x'), 6, whole.size(), 50, false},
        {"torn-tail", whole.substr(0, whole.size() - 1), 5, whole.size() - size, size - 1, true},
        {"torn-tail", whole + records[0].substr(0, 5), 6, whole.size(), 5, true},
        {"garbage", joined(0, 2) + records[2].substr(0, 30) + joined(3, 6), 5, third, 30, false},
    };
    for (const Case& one : cases) {
        CAPTURE(one.code, one.offset, one.length);
        std::vector<SkippedPart> gaps;
        CHECK(readRecords(one.bytes, &gaps).size() == one.records);
        REQUIRE(gaps.size() == 1);
        CHECK(gaps[0].code == one.code);
        CHECK(gaps[0].offset == one.offset);
        CHECK(gaps[0].length == one.length);
        CHECK(gaps[0].mayBeGrowing == one.growing);
        CHECK(!gaps[0].reason.empty());
    }
}

TEST_CASE("A length beyond the file is not believed", "[import][tfevents]")
{
    std::string head(8, '\xff');
    head[7] = '\x7f';
    const std::string file = head + littleEndian(maskedCrc(crc32c(head))) + std::string(100, 'a');
    std::vector<SkippedPart> gaps;
    CHECK(readRecords(file, &gaps).empty());
    REQUIRE(gaps.size() == 1);
    CHECK(gaps[0].code == "torn-tail");
}
