// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/import/artifact.h"
#include "core/import/source_head.h"
#include "tests/support/catch.h"

#include <filesystem>
#include <fstream>
#include <unistd.h>
#include <zlib.h>

using namespace firstbad::core;

namespace {

class TemporaryFile
{
public:
    TemporaryFile(const char* name, const std::string& content)
        : m_folder(
            std::filesystem::temp_directory_path() / ("firstbad-head-" + std::to_string(getpid())))
        , m_path(m_folder / name)
    {
        std::filesystem::create_directories(m_folder);
        std::ofstream(m_path, std::ios::binary) << content;
    }
    ~TemporaryFile() { std::filesystem::remove_all(m_folder); }
    TemporaryFile(const TemporaryFile&) = delete;
    TemporaryFile& operator=(const TemporaryFile&) = delete;
    [[nodiscard]] const std::filesystem::path& path() const { return m_path; }

private:
    std::filesystem::path m_folder;
    std::filesystem::path m_path;
};

std::string gzipped(const std::string& plain)
{
    std::string packed(plain.size() + 64, '\0');
    z_stream stream{};
    REQUIRE(deflateInit2(&stream, 6, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY) == Z_OK);
    stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(plain.data()));
    stream.avail_in = static_cast<uInt>(plain.size());
    stream.next_out = reinterpret_cast<Bytef*>(packed.data());
    stream.avail_out = static_cast<uInt>(packed.size());
    REQUIRE(deflate(&stream, Z_FINISH) == Z_STREAM_END);
    packed.resize(stream.total_out);
    deflateEnd(&stream);
    return packed;
}

}  // namespace

TEST_CASE("the head of a compressed log is its text, torn or whole", "[core][import]")
{
    const std::string text = "iter 1: loss 2.5, time 12.0ms\niter 2: loss 2.4, time 12.0ms\n";
    const TemporaryFile whole("a.log.gz", gzipped(text));
    CHECK(readHead(whole.path())->text == text);
    const TemporaryFile torn("b.log.gz", gzipped(text).substr(0, 40));
    CHECK(text.starts_with(readHead(torn.path())->text));
}

TEST_CASE("UTF-16 heads are read as text, binary ones as none", "[core][import]")
{
    std::string utf16 = "\xFF\xFE";
    for (const char c : std::string("loss 2.5"))
        utf16 += std::string(1, c) + '\0';
    const TemporaryFile wide("wide.log", utf16);
    CHECK(readHead(wide.path())->text == "loss 2.5");
    std::string binary;
    for (int i = 0; i < 4000; ++i)
        binary += static_cast<char>(i * 37 % 251);
    const TemporaryFile rubbish("rubbish.bin", binary);
    CHECK(readHead(rubbish.path())->text.empty());
}

TEST_CASE("checkpoints are known by their bytes, saves by their folder", "[core][import]")
{
    const TemporaryFile zip(
        "model.pt", std::string("PK\x03\x04", 4) + std::string(40, 'x') + "data.pkl");
    const auto found = checkpointOf(*readHead(zip.path()));
    REQUIRE(found);
    CHECK(found->format == "torch-zip");
    const TemporaryFile pointer(
        "optimizer.pt", "version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 5\n");
    CHECK(checkpointOf(*readHead(pointer.path()))->format == "git-lfs-pointer");
    const TemporaryFile log("train.log", "iter 1: loss 2\n");
    CHECK_FALSE(checkpointOf(*readHead(log.path())));
}

TEST_CASE("a folder is no head: refused with a sentence", "[core][import]")
{
    const auto refused = readHead(std::filesystem::temp_directory_path());
    REQUIRE_FALSE(refused);
    CHECK_THAT(refused.error().message, Catch::Matchers::ContainsSubstring("not a regular file"));
}
