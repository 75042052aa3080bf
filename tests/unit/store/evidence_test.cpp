// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/file.h"
#include "core/base/hash.h"
#include "core/store/case_store.h"
#include "tests/support/catch.h"
#include "tests/support/temp_folder.h"

#include <algorithm>

using namespace firstbad::core;
using Catch::Matchers::ContainsSubstring;
using firstbad::test::TempFolder;

namespace {

EvidenceRecord record(std::string kind, std::string content)
{
    EvidenceRecord one;
    one.kind = std::move(kind);
    one.name = "step.capsule";
    one.content = std::move(content);
    one.body = R"({"left_out":[]})";
    return one;
}

}  // namespace

TEST_CASE("evidence comes back byte for byte, and the same is stored once", "[core][store]")
{
    const TempFolder folder;
    std::string large(9'000'000, '\0');
    for (std::size_t i = 0; i < large.size(); ++i)
        large[i] = static_cast<char>(i * 31 % 251);
    const auto path = folder.write("weights.safetensors", large);
    JobContext job;
    {
        auto store = CaseStore::create(folder.path() / "case");
        REQUIRE(store);
        const auto kept = store->keep(record("capsule", "abc"),
            {{"capsule.json", "{}", {}}, {"checkpoint/7/model.pt", std::string("a\0b", 3), {}},
                {"weights.safetensors", {}, path}, {"empty", "", {}}},
            job);
        REQUIRE(kept);
        CHECK(kept->id == 1);
        const auto again = store->keep(record("capsule", "abc"), {{"other", "x", {}}}, job);
        REQUIRE(again);
        CHECK(again->file == kept->file);
        REQUIRE(store->keep(record("sweep", "def"), {{"result.json", R"({"a":1})", {}}}, job));
    }
    const auto store = CaseStore::open(folder.path() / "case", CaseAccess::Read);
    REQUIRE(store);
    const auto all = store->evidence();
    REQUIRE(all);
    REQUIRE(all->size() == 2);
    CHECK((*all)[1].kind == "sweep");
    const auto weights = store->readEvidence((*all)[0], "weights.safetensors", 1U << 30U);
    REQUIRE(weights);
    CHECK(sha256Hex(*weights) == sha256Hex(large));
    CHECK(*store->readEvidence((*all)[0], "checkpoint/7/model.pt", 100) == std::string("a\0b", 3));
    CHECK(store->readEvidence((*all)[0], "empty", 100)->empty());
    CHECK_FALSE(store->readEvidence((*all)[0], "weights.safetensors", 100));
    CHECK_FALSE(store->readEvidence((*all)[0], "nothing", 100));
    const auto members = evidenceMembers(store->folder() / (*all)[0].file);
    REQUIRE(members);
    CHECK(members->size() == 4);
    const auto check = store->check(job);
    REQUIRE(check);
    CHECK(check->sound());
    CHECK(check->unnamedFiles.empty());
}

TEST_CASE("changed evidence is reported by its hash", "[core][store]")
{
    const TempFolder folder;
    JobContext job;
    std::string file;
    {
        auto store = CaseStore::create(folder.path() / "case");
        REQUIRE(store);
        file = store->keep(record("sweep", "def"), {{"result.json", "0123456789", {}}}, job)->file;
    }
    auto bytes = *readWholeFile(folder.path() / "case" / file, 1U << 20U);
    bytes[bytes.find("0123456789")] = 'X';
    folder.write("case/" + file, bytes);
    const auto store = CaseStore::open(folder.path() / "case", CaseAccess::Read);
    const auto check = store->check(job);
    REQUIRE(check);
    REQUIRE(check->problems.size() == 1);
    CHECK_THAT(check->problems[0].message, ContainsSubstring("another SHA-256"));
}

TEST_CASE("evidence that cannot be written leaves nothing behind", "[core][store]")
{
    const TempFolder folder;
    JobContext job;
    auto store = CaseStore::create(folder.path() / "case");
    REQUIRE(store);
    CHECK_FALSE(store->keep(record("capsule", "abc"), {{"gone", {}, folder.path() / "gone"}}, job));
    std::stop_source stop;
    stop.request_stop();
    JobContext stopped(stop.get_token());
    const auto path = folder.write("some", "bytes");
    const auto kept = store->keep(record("capsule", "abc"), {{"some", {}, path}}, stopped);
    REQUIRE_FALSE(kept);
    CHECK(kept.error().code == ErrorCode::Cancelled);
    CHECK(store->evidence()->empty());
    CHECK(std::filesystem::is_empty(folder.path() / "case/evidence"));
}
