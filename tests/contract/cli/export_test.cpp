// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/contract/cli/json_check.h"
#include "tests/contract/cli/program_run.h"
#include "tests/support/catch.h"
#include "tests/support/temp_folder.h"

#include <archive.h>
#include <archive_entry.h>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

using namespace firstbad;
using test::documentOf;
using test::runFirstbad;

namespace {

struct ExportFixture {
    test::TempFolder folder;
    std::string place = (folder.path() / "case").string();
    std::string file = (folder.path() / "case.zip").string();

    ExportFixture()
    {
        std::filesystem::create_directories(folder.path() / "secret-project");
        const auto log = folder.path() / "secret-project" / "train.jsonl";
        std::ofstream out(log);
        for (int step = 1; step <= 60; ++step)
            out << R"({"step": )" << step << R"(, "loss": )" << 3.0 - 0.01 * step << "}\n";
        out << "{\"step\": 61, \"loss\": NaN}\n";
        out.close();
        REQUIRE(runFirstbad({"init", place}).status == 0);
        REQUIRE(runFirstbad({"-C", place, "add", log.string()}).status == 3);
    }
};

std::string bytesOf(const std::filesystem::path& path)
{
    std::ifstream in(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
}

/// A zip with one member, as an attacker could make it.
void writeZip(const std::string& path, const char* member)
{
    archive* out = archive_write_new();
    archive_write_set_format_zip(out);
    REQUIRE(archive_write_open_filename(out, path.c_str()) == ARCHIVE_OK);
    archive_entry* entry = archive_entry_new();
    archive_entry_set_pathname(entry, member);
    archive_entry_set_size(entry, 4);
    archive_entry_set_filetype(entry, AE_IFREG);
    archive_entry_set_perm(entry, 0644);
    REQUIRE(archive_write_header(out, entry) == ARCHIVE_OK);
    CHECK(archive_write_data(out, "evil", 4) == 4);
    archive_entry_free(entry);
    archive_write_free(out);
}

}  // namespace

TEST_CASE("a case that was exported and imported answers the same", "[contract][cli]")
{
    const ExportFixture fixture;
    const std::string copy = (fixture.folder.path() / "copy").string();
    REQUIRE(runFirstbad({"export", fixture.place, "-o", fixture.file}).status == 0);
    REQUIRE(runFirstbad({"import", fixture.file, copy}).status == 0);
    const auto before = runFirstbad({"-C", fixture.place, "incidents", "--json"});
    const auto after = runFirstbad({"-C", copy, "incidents", "--json"});
    CHECK(after.status == 3);
    CHECK(after.out == before.out);
    CHECK(runFirstbad({"-C", copy, "doctor"}).status == 0);
}

TEST_CASE("exporting the same case twice gives the same bytes", "[contract][cli]")
{
    const ExportFixture fixture;
    const std::string again = fixture.file + "2";
    REQUIRE(runFirstbad({"export", fixture.place, "-o", fixture.file}).status == 0);
    REQUIRE(runFirstbad({"export", fixture.place, "-o", again}).status == 0);
    CHECK(bytesOf(fixture.file) == bytesOf(again));
}

TEST_CASE("a redacted case keeps its numbers and loses its folders", "[contract][cli]")
{
    const ExportFixture fixture;
    const std::string copy = (fixture.folder.path() / "copy").string();
    REQUIRE(runFirstbad({"export", fixture.place, "-o", fixture.file, "--redact"}).status == 0);
    REQUIRE(runFirstbad({"import", fixture.file, copy}).status == 0);
    const auto run = runFirstbad({"-C", copy, "incidents", "--json"});
    const auto document = documentOf(run.out, "incidents");
    REQUIRE(document["result"]["incidents"].Size() == 1);
    CHECK(document["result"]["incidents"][0]["onset_step"].GetInt() == 61);
    CHECK(bytesOf(std::filesystem::path(copy) / "case.db").find("secret-project")
        == std::string::npos);
    CHECK(bytesOf(std::filesystem::path(fixture.place) / "case.db").find("secret-project")
        != std::string::npos);
}

TEST_CASE("what is no exported case is refused and leaves nothing", "[contract][cli]")
{
    const test::TempFolder folder;
    const std::string file = (folder.path() / "evil.zip").string();
    const std::string place = (folder.path() / "case").string();
    for (const char* member :
        {"../evil", "series/../../evil", "/etc/evil", "notes.txt", "case.db"}) {
        CAPTURE(member);
        writeZip(file, member);
        const auto run = runFirstbad({"import", file, place});
        CHECK(run.status == 1);
        CHECK_FALSE(run.err.empty());
        CHECK_FALSE(std::filesystem::exists(place));
        CHECK_FALSE(std::filesystem::exists(place + ".part"));
        CHECK_FALSE(std::filesystem::exists(folder.path() / "evil"));
    }
    std::ofstream(file, std::ios::binary) << "PK\x03\x04 cut";
    CHECK(runFirstbad({"import", file, place}).status == 1);
    CHECK_FALSE(std::filesystem::exists(place));
}
