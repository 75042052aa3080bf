// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/checkpoint/checkpoint_reader.h"
#include "core/checkpoint/inflater.h"
#include "tests/support/catch.h"
#include "tests/support/temp_folder.h"

#include <zlib.h>

using namespace firstbad;
using namespace firstbad::core;

namespace {

std::string readAll(StorageStream& stream, std::size_t step)
{
    std::string all;
    std::string buffer(step, '\0');
    for (;;) {
        const auto got = stream.read(std::span(buffer.data(), buffer.size()));
        REQUIRE(got);
        if (*got == 0)
            return all;
        all.append(buffer, 0, *got);
    }
}

std::string zlibBytes(const std::string& plain)
{
    std::string packed(::compressBound(plain.size()), '\0');
    auto size = static_cast<uLongf>(packed.size());
    REQUIRE(::compress(reinterpret_cast<Bytef*>(packed.data()), &size,
                reinterpret_cast<const Bytef*>(plain.data()), plain.size())
        == Z_OK);
    packed.resize(size);
    return packed;
}

}  // namespace

TEST_CASE("a file that is no checkpoint says what it is", "[checkpoint]")
{
    struct Case {
        const char* file;
        std::string content;
        const char* error;
        const char* says;
    };
    const auto c = GENERATE(values<Case>({
        {"empty.pt", "", "empty-file", "0 bytes"},
        {"page.safetensors", "<!DOCTYPE html>\n<html><body>404</body></html>", "html-page",
            "download failed"},
        {"pointer.bin",
            "version https://git-lfs.github.com/spec/v1\noid sha256:aa\nsize 548118077\n",
            "lfs-pointer", "548118077"},
        {"notes.pt", "remember the milk\nand the bread\n", "not-a-checkpoint", "plain text"},
        {"noise.bin", std::string("\x01\x00\xfe\xfd\x00\x10", 6), "not-a-checkpoint", "6 bytes"},
    }));
    CAPTURE(c.file);
    const test::TempFolder folder;
    JobContext job;
    const auto opened = openCheckpoint(folder.write(c.file, c.content), c.file, job);
    REQUIRE(opened);
    REQUIRE(opened->damage.size() == 1);
    CHECK(opened->format == "none");
    CHECK(opened->damage[0].error == c.error);
    CHECK(opened->damage[0].member == c.file);
    CHECK_THAT(opened->damage[0].text, Catch::Contains(c.says));
    CHECK_FALSE(isCheckpoint(folder.path() / c.file));
}

TEST_CASE("a path that does not exist is an error that names it", "[checkpoint]")
{
    JobContext job;
    const auto opened = openCheckpoint("/nonexistent/model.pt", "model.pt", job);
    REQUIRE_FALSE(opened);
    CHECK_THAT(opened.error().message, Catch::Contains("model.pt"));
}

TEST_CASE("storages stream the same bytes whatever they are kept in", "[checkpoint]")
{
    std::string plain;
    for (int i = 0; i < 5000; ++i)
        plain += static_cast<char>(i * i % 251);
    const std::string packed = zlibBytes(plain);
    const test::TempFolder folder;
    Checkpoint checkpoint;
    checkpoint.files.push_back(
        {"shown", folder.write("data", "head" + plain + packed).string(), 0});
    Storage raw;
    raw.offset = 4;
    raw.storedBytes = raw.bytes = plain.size();
    Storage zlib = raw;
    zlib.coding = StorageCoding::Zlib;
    zlib.offset = 4 + plain.size();
    zlib.storedBytes = packed.size();
    Storage deflate = zlib;
    deflate.coding = StorageCoding::Deflate;
    deflate.offset += 2;  // without zlib's header and checksum
    deflate.storedBytes -= 6;
    Storage inlined;
    inlined.coding = StorageCoding::Inline;
    inlined.inlineBytes.assign(plain.begin(), plain.end());
    checkpoint.storages = {raw, zlib, deflate, inlined};
    for (std::size_t i = 0; i < checkpoint.storages.size(); ++i) {
        auto stream = openStorage(checkpoint, i);
        REQUIRE(stream);
        CHECK(readAll(**stream, 777) == plain);
    }
}

TEST_CASE("a compressed storage that is cut says how far it got", "[checkpoint]")
{
    const std::string packed = zlibBytes(std::string(100000, 'x') + "tail");
    const auto cut = std::make_shared<const std::string>(packed.substr(0, packed.size() / 2));
    Inflater inflater(ByteSource::ofMemory(cut), DeflateWrapper::Zlib);
    std::string buffer(200000, '\0');
    const auto got = inflater.read(std::span(buffer.data(), buffer.size()));
    REQUIRE_FALSE(got);
    CHECK(inflater.decodedBytes() > 0);
    CHECK_THAT(got.error().message,
        Catch::Contains(std::to_string(inflater.decodedBytes()) + " decoded bytes"));
}

TEST_CASE("a storage that is not there is an error, not an empty one", "[checkpoint]")
{
    Checkpoint checkpoint;
    checkpoint.storages.resize(1);
    checkpoint.storages[0].coding = StorageCoding::Missing;
    CHECK_FALSE(openStorage(checkpoint, 0));
    CHECK_FALSE(openStorage(checkpoint, 1));
}
