// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/checkpoint/checkpoint_reader.h"
#include "core/checkpoint/torch/torch_file.h"
#include "core/checkpoint/zip/zip_archive.h"
#include "tests/support/catch.h"
#include "tests/support/temp_folder.h"
#include "tests/unit/checkpoint/pickle_builder.h"

#include <algorithm>

using namespace firstbad;
using namespace firstbad::core;
using namespace firstbad::test;

namespace {

ByteSource memory(const std::string& bytes)
{
    return ByteSource::ofMemory(std::make_shared<const std::string>(bytes));
}

ZipArchive directory(const std::string& bytes)
{
    JobContext job;
    auto archive = readZipDirectory(memory(bytes), ZipLayout::OneFolder, job);
    REQUIRE(archive);
    REQUIRE(*archive);
    return std::move(**archive);
}

bool isRefused(const ZipArchive& archive, std::string_view record)
{
    const ZipEntry* entry = archive.find(record);
    REQUIRE(entry != nullptr);
    return !entry->refusal.empty();
}

ZipBuilder start()
{
    ZipBuilder zip;
    zip.add(plainItem("m/data.pkl", pickle("}"))).add(plainItem("m/data/0", floatBytes(4)));
    return zip;
}

}  // namespace

TEST_CASE("entries whose names lead out of the archive are refused", "[zip]")
{
    const auto name = GENERATE(values<std::string>(
        {"../x", "/etc/x", "m/../../x", "other/data/0", "m\\..\\x", std::string("m/a\0b", 5), ""}));
    CAPTURE(name);
    ZipBuilder zip = start();
    zip.add(plainItem(name, "x"));
    const ZipArchive archive = directory(zip.bytes());
    REQUIRE(archive.damage.size() == 1);
    CHECK(archive.damage[0].error == "path-traversal");
    CHECK(archive.damage[0].hostile);
    CHECK_FALSE(archive.entries.back().refusal.empty());
    CHECK_FALSE(isRefused(archive, "data/0"));
}

TEST_CASE("two entries of one name are both refused", "[zip]")
{
    ZipBuilder zip = start();
    zip.add(plainItem("m/data/0", floatBytes(4)));
    const ZipArchive archive = directory(zip.bytes());
    CHECK(isRefused(archive, "data/0"));
    CHECK_FALSE(archive.entries.back().refusal.empty());
    REQUIRE(archive.damage.size() == 1);
    CHECK(archive.damage[0].error == "duplicate-entry");
    CHECK(archive.damage[0].member == "data/0");
}

TEST_CASE("a local header with another name refuses its entry", "[zip]")
{
    ZipItem item = plainItem("m/data/1", floatBytes(4));
    item.localName = "m/data/7";
    ZipBuilder zip = start();
    zip.add(item);
    const ZipArchive archive = directory(zip.bytes());
    CHECK(isRefused(archive, "data/1"));
    REQUIRE(archive.damage.size() == 1);
    CHECK(archive.damage[0].error == "name-mismatch");
}

TEST_CASE("entries that share bytes are refused together", "[zip]")
{
    const bool deflate = GENERATE(false, true);
    ZipBuilder zip = start();
    const std::string plain(5000, 'x');
    ZipItem item = deflate ? deflatedItem("m/data/1", plain) : plainItem("m/data/1", plain);
    zip.add(item);
    item.headerOffset = static_cast<std::int64_t>(zip.lastHeader());
    item.name = "m/data/2";
    zip.add(item);
    const ZipArchive archive = directory(zip.bytes());
    CHECK(isRefused(archive, "data/1"));
    CHECK(isRefused(archive, "data/2"));
    CHECK_FALSE(isRefused(archive, "data/0"));
    REQUIRE(archive.damage.size() == 1);
    CHECK(archive.damage[0].error == (deflate ? "inflate-limit" : "overlap"));
    CHECK(archive.damage[0].member == "data/1 .. data/2");
    CHECK(archive.damage[0].hostile);
}

TEST_CASE("an entry that reaches into the directory is refused", "[zip]")
{
    ZipItem item = plainItem("m/data/1", floatBytes(4));
    ZipBuilder zip = start();
    zip.add(item);
    item.headerOffset = static_cast<std::int64_t>(zip.lastHeader());
    ZipBuilder lying = start();
    ZipItem longer = plainItem("m/data/1", floatBytes(4));
    longer.declared = 4096;
    lying.add(plainItem("m/data/1", floatBytes(4)));
    std::string bytes = lying.bytes();
    // The stored size of the last entry in the directory, 26 bytes before its name.
    const std::size_t at = bytes.rfind("m/data/1") - 26;
    bytes.replace(at, 4, little(4096, 4));
    bytes.replace(at + 4, 4, little(4096, 4));
    const ZipArchive archive = directory(bytes);
    CHECK(isRefused(archive, "data/1"));
    CHECK(archive.damage[0].error == "overlap");
}

TEST_CASE("deflate that lies about its size is caught within its budget", "[zip]")
{
    const std::string zeros(1U << 20U, '\0');
    SECTION("declares more than deflate can hold")
    {
        ZipItem item = deflatedItem("m/data/1", zeros);
        item.declared = std::uint64_t{0xF0000000};
        ZipBuilder zip = start();
        zip.add(item);
        const ZipArchive archive = directory(zip.bytes());
        CHECK(isRefused(archive, "data/1"));
        CHECK(archive.damage[0].error == "inflate-limit");
    }
    SECTION("declares less than comes out")
    {
        ZipItem item = deflatedItem("m/data/1", zeros);
        item.declared = 16;
        ZipBuilder zip = start();
        zip.add(item);
        JobContext job;
        const auto file = readTorchZip(memory(zip.bytes()), {}, job);
        REQUIRE(file);
        REQUIRE(file->part.damage.size() == 1);
        CHECK(file->part.damage[0].error == "inflate-limit");
        CHECK(file->part.damage[0].member == "data/1");
        CHECK(file->part.damage[0].hostile);
    }
    SECTION("a pickle that would fill the memory")
    {
        ZipBuilder zip;
        ZipItem item = deflatedItem("m/data.pkl", std::string(std::size_t{65} << 20U, '0'));
        zip.add(item);
        JobContext job;
        const auto file = readTorchZip(memory(zip.bytes()), {}, job);
        REQUIRE(file);
        REQUIRE_FALSE(file->part.damage.empty());
        CHECK(file->part.damage[0].error == "inflate-limit");
        CHECK(file->part.damage[0].member == "data.pkl");
    }
}

TEST_CASE("compressed storages are read like plain ones", "[zip]")
{
    PickledView view;
    view.elements = 100;
    view.sizes = {100};
    view.strides = {1};
    ZipBuilder zip;
    zip.add(deflatedItem("m/data.pkl", pickle(pickledDict({{"a", pickledTensor(view)}}))))
        .add(deflatedItem("m/data/0", floatBytes(100)));
    const TempFolder folder;
    JobContext job;
    const auto checkpoint = openCheckpoint(folder.write("z.pt", zip.bytes()), "z.pt", job);
    REQUIRE(checkpoint);
    CHECK(checkpoint->damage.empty());
    REQUIRE(checkpoint->tensors.size() == 1);
    CHECK(checkpoint->storages[0].coding == StorageCoding::Deflate);
    const auto bytes = readTensor(*checkpoint, checkpoint->tensors[0], 1000, job);
    REQUIRE(bytes);
    CHECK(std::string(bytes->begin(), bytes->end()) == floatBytes(100));
}

TEST_CASE("numbers in the end record that contradict the file are refused", "[zip]")
{
    std::string bytes = start().bytes();
    const std::size_t end64 = bytes.rfind("PK\x06\x06");
    const std::size_t field = GENERATE(32U, 40U, 48U);
    CAPTURE(field);
    bytes.replace(end64 + field, 8, little(std::uint64_t{1} << 62U, 8));
    JobContext job;
    const auto archive = readZipDirectory(memory(bytes), ZipLayout::OneFolder, job);
    REQUIRE(archive);
    REQUIRE(*archive);
    REQUIRE_FALSE((*archive)->damage.empty());
    CHECK((*archive)->damage[0].member == "central directory");
}

TEST_CASE("an archive cut off before its directory is walked record by record", "[zip]")
{
    PickledView view;
    view.elements = 8;
    view.sizes = {8};
    view.strides = {1};
    const std::string data = pickle(pickledDict({{"a", pickledTensor(view)}}));
    ZipBuilder zip;
    const bool pickleFirst = GENERATE(true, false);  // C++ writes it behind the storages
    if (pickleFirst)
        zip.add(plainItem("m/data.pkl", data));
    // The storage holds what looks like a descriptor and a local header.
    const std::string tricky
        = "PK\x07\x08" + little(0, 4) + little(7, 8) + "PK\x03\x04" + floatBytes(3).substr(0, 12);
    zip.add(plainItem("m/data/0", tricky));
    if (!pickleFirst)
        zip.add(plainItem("m/data.pkl", data));
    JobContext job;
    const auto file = readTorchZip(memory(zip.records()), {}, job);
    REQUIRE(file);
    REQUIRE(file->part.tensors.size() == 1);
    CHECK(file->part.lost.empty());
    const auto& stored = file->part.storages[0].inlineBytes;
    CHECK(std::string(stored.begin(), stored.end()) == tricky);
    REQUIRE(file->part.damage.size() == 1);
    CHECK(file->part.damage[0].error == "truncated");
    CHECK(file->part.damage[0].member == "central directory");
    CHECK(file->part.storages[0].crc32 == crcOf(tricky));
}
