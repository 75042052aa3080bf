// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/checkpoint/folder/checkpoint_folder.h"

#include "tests/support/catch.h"
#include "tests/support/temp_folder.h"

using namespace firstbad::core;
using firstbad::test::TempFolder;
namespace fs = std::filesystem;

TEST_CASE("only single names are plain", "[checkpoint][folder]")
{
    CHECK(isPlainFileName("model-00001-of-00003.safetensors"));
    CHECK(isPlainFileName("..x"));
    for (const char* name : {"", ".", "..", "a/b", "/etc/passwd", "..\\x", "a\nb"}) {
        CAPTURE(name);
        CHECK_FALSE(isPlainFileName(name));
    }
    CHECK_FALSE(isPlainFileName(std::string_view("a\0b", 3)));
    CHECK_FALSE(isPlainFileName(std::string(300, 'a')));
}

TEST_CASE("files are found in the folder and below it, never outside", "[checkpoint][folder]")
{
    const TempFolder temp;
    temp.write("save/a.bin", "1234");
    temp.write("save/rank/b.bin", "12");
    temp.write("outside.bin", "123");
    fs::create_symlink("a.bin", temp.path() / "save/inner");
    fs::create_symlink("../outside.bin", temp.path() / "save/outer");
    fs::create_symlink("../nowhere", temp.path() / "save/dangling");
    fs::create_symlink("not_there", temp.path() / "save/broken");
    fs::create_directory_symlink("..", temp.path() / "save/up");
    const CheckpointFolder folder(temp.path() / "save", "save/");

    const FolderFile a = folder.find("a.bin");
    CHECK(a.fault == FolderFault::None);
    CHECK(a.bytes == 4);
    CHECK(a.shownPath == "save/a.bin");
    CHECK(folder.find("b.bin", "rank").fault == FolderFault::None);
    CHECK(folder.find("b.bin", "rank").name == "rank/b.bin");
    CHECK(folder.find("inner").fault == FolderFault::None);
    CHECK(folder.find("outer").fault == FolderFault::Escapes);
    CHECK(folder.find("dangling").fault == FolderFault::Escapes);
    CHECK(folder.find("broken").fault == FolderFault::Missing);
    CHECK(folder.find("outside.bin", "up").fault == FolderFault::Escapes);
    CHECK(folder.find("../outside.bin").fault == FolderFault::NotPlain);
    CHECK(folder.find("nothing").fault == FolderFault::Missing);
    CHECK(folder.find("rank").fault == FolderFault::NotAFile);
    CHECK(folder.isFolder("rank"));
    CHECK_FALSE(folder.isFolder("up"));
    CHECK(folder.list("up").empty());
    CHECK(folder.list("rank") == std::vector<std::string>{"b.bin"});
}

TEST_CASE("a folder that is itself a link is followed", "[checkpoint][folder]")
{
    const TempFolder temp;
    temp.write("real/a.bin", "1");
    fs::create_directory_symlink("real", temp.path() / "latest");
    const CheckpointFolder folder(temp.path() / "latest", "latest");
    CHECK(folder.find("a.bin").fault == FolderFault::None);
}

TEST_CASE("links of a download cache lead to its blobs", "[checkpoint][folder]")
{
    const TempFolder temp;
    temp.write("models--acme--tiny/blobs/0abc", "12345");
    temp.write("secret", "x");
    const fs::path snapshot = temp.path() / "models--acme--tiny/snapshots/0123";
    fs::create_directories(snapshot);
    fs::create_symlink("../../blobs/0abc", snapshot / "model.safetensors");
    fs::create_symlink("../../../secret", snapshot / "tokenizer.json");
    const CheckpointFolder folder(snapshot, "snapshot");
    CHECK(folder.find("model.safetensors").bytes == 5);
    CHECK(folder.find("tokenizer.json").fault == FolderFault::Escapes);
}

TEST_CASE("faults of files become the words of the contract", "[checkpoint][folder]")
{
    FolderFile file;
    file.name = "model-00002-of-00003.safetensors";
    file.fault = FolderFault::Missing;
    CHECK(describeFault(file, 3).error == "missing-shard");
    CHECK_THAT(describeFault(file, 3).text, Catch::Contains("3 tensors are unread"));
    file.fault = FolderFault::Escapes;
    CHECK(describeFault(file, 0).error == "symlink-escape");
    CHECK(describeFault(file, 0).hostile);
    file.fault = FolderFault::NotPlain;
    CHECK(describeFault(file, 0).error == "path-traversal");
    CHECK(describeFault(file, 0).hostile);
}
