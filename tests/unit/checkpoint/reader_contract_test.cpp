// SPDX-License-Identifier: GPL-3.0-or-later
// What every reader of the table owes: a cut file gets a sentence, cancelling stops it, the same
// file gives the same description twice. Samples are the checkpoints of the corpus.
#include "core/base/file.h"
#include "core/base/json_reader.h"
#include "core/checkpoint/checkpoint_reader.h"
#include "tests/support/catch.h"
#include "tests/support/corpus.h"
#include "tests/support/temp_folder.h"

#include <algorithm>
#include <iostream>
#include <map>

using namespace firstbad;
using namespace firstbad::core;
namespace fs = std::filesystem;

namespace {

fs::path folder()
{
    return test::corpusFolder() / "fixtures" / "checkpoints";
}

/// One sound checkpoint a format of the key.
std::map<std::string, fs::path> samples()
{
    const auto text = readWholeFile(folder() / "expected.json", std::uint64_t{64} << 20U);
    REQUIRE(text);
    const auto key = parseJson(*text);
    REQUIRE(key);
    std::map<std::string, fs::path> found;
    for (const JsonValue& one : key->find("cases")->items) {
        const std::string_view verdict = one.find("verdict")->asText();
        if (verdict == "finite" || verdict == "nonfinite")
            found.emplace(one.find("format")->asText(),
                folder() / std::string(one.find("paths")->items[0].asText()));
    }
    return found;
}

fs::path largestFile(const fs::path& path)
{
    if (fs::is_regular_file(path))
        return path;
    fs::path largest;
    for (const auto& entry : fs::recursive_directory_iterator(path)) {
        if (entry.is_regular_file()
            && (largest.empty() || entry.file_size() > fs::file_size(largest)))
            largest = entry.path();
    }
    return largest;
}

std::string described(const Checkpoint& checkpoint)
{
    std::string text = checkpoint.format + checkpoint.reason;
    for (const CheckpointTensor& tensor : checkpoint.tensors)
        text += tensor.name + " ";
    for (const CheckpointDamage& damage : checkpoint.damage)
        text += damage.error + damage.member + damage.text;
    for (const CheckpointScalar& scalar : checkpoint.scalars)
        text += scalar.name;
    return text;
}

}  // namespace

TEST_CASE("every reader has a sample, and reads it the same way twice", "[contract]")
{
    const auto all = samples();
    for (const CheckpointReader& reader : checkpointReaderTable()) {
        CAPTURE(reader.id);
        CHECK_FALSE(reader.title.empty());
        const auto sample = all.find(std::string(reader.id));
        if (sample == all.end()) {
            std::cout << "no sample of " << reader.id << " in the corpus\n";
            continue;
        }
        JobContext job;
        const auto first = openCheckpoint(sample->second, "sample", job);
        const auto second = openCheckpoint(sample->second, "sample", job);
        REQUIRE(first);
        REQUIRE(second);
        CHECK(isCheckpoint(sample->second));
        CHECK(first->format == reader.id);
        CHECK(described(*first) == described(*second));
        for (const CheckpointTensor& tensor : first->tensors) {
            for (const TensorPiece& piece : tensor.pieces)
                CHECK(piece.storage < first->storages.size());
        }
    }
}

TEST_CASE("a cancelled opening says that it was cancelled", "[contract]")
{
    for (const auto& [format, path] : samples()) {
        std::stop_source stop;
        stop.request_stop();
        JobContext job(stop.get_token());
        const auto opened = openCheckpoint(path, "sample", job);
        REQUIRE_FALSE(opened);
        CHECK(opened.error().code == ErrorCode::Cancelled);
    }
}

TEST_CASE("a single file cut at any point gets a sentence", "[contract]")
{
    constexpr std::uint64_t kCuts = 40;
    int covered = 0;
    for (const auto& [format, path] : samples()) {
        if (fs::is_directory(path))
            continue;
        const test::TempFolder temp;
        const fs::path copy = temp.path() / path.filename();
        const std::uint64_t bytes = fs::file_size(path);
        for (std::uint64_t cut = 0; cut < kCuts; ++cut) {
            fs::copy_file(path, copy, fs::copy_options::overwrite_existing);
            fs::permissions(copy, fs::perms::owner_all);
            fs::resize_file(copy, bytes * cut / kCuts);
            INFO(format << " cut to " << bytes * cut / kCuts << " of " << bytes << " bytes");
            JobContext job;
            const auto opened = openCheckpoint(copy, "sample", job);
            if (!opened) {
                CHECK_THAT(opened.error().message,
                    Catch::Contains("sample") || Catch::Contains(path.filename().string()));
                continue;
            }
            REQUIRE_FALSE((opened->damage.empty() && opened->supported));
            CHECK(opened->reason.size() > 10);
            ++covered;
        }
    }
    std::cout << covered << " cuts opened\n";
    CHECK(covered > 0);
}

TEST_CASE("a folder whose largest file is cut never fails without a sentence", "[contract]")
{
    constexpr std::uint64_t kCuts = 8;
    for (const auto& [format, path] : samples()) {
        if (!fs::is_directory(path))
            continue;
        const test::TempFolder temp;
        const fs::path copy = temp.path() / path.filename();
        fs::copy(path, copy, fs::copy_options::recursive);
        const fs::path largest = largestFile(copy);
        const std::uint64_t bytes = fs::file_size(largest);
        fs::permissions(largest, fs::perms::owner_all);
        for (std::uint64_t cut = kCuts; cut-- > 0;) {
            fs::resize_file(largest, bytes * cut / kCuts);
            INFO(format << " " << largest << " cut to " << bytes * cut / kCuts);
            JobContext job;
            const auto opened = openCheckpoint(copy, "sample", job);
            CHECK((opened || !opened.error().message.empty()));
        }
        std::error_code ignored;
        for (const auto& entry : fs::recursive_directory_iterator(copy))
            fs::permissions(entry.path(), fs::perms::owner_all, ignored);
    }
}
