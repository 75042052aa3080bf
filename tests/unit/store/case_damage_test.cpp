// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/store/migration.h"
#include "core/store/schema.h"
#include "tests/support/catch.h"
#include "tests/unit/store/case_fixture.h"

#include <fmt/format.h>
#include <random>
#include <sqlite3.h>

using namespace firstbad::core;
using namespace firstbad::test;

namespace {

/// Speaks SQL to case.db behind the store's back; answers the message of a refusal.
std::string tamper(const std::filesystem::path& folder, const std::string& sql)
{
    sqlite3* database = nullptr;
    REQUIRE(sqlite3_open((folder / "case.db").c_str(), &database) == SQLITE_OK);
    char* message = nullptr;
    sqlite3_exec(database, sql.c_str(), nullptr, nullptr, &message);
    std::string text = message ? message : "";
    sqlite3_free(message);
    sqlite3_close(database);
    return text;
}

std::filesystem::path caseWithTwoAdds(const TemporaryFolder& folder)
{
    auto store = CaseStore::create(folder.path() / "case");
    REQUIRE(store);
    JobContext job;
    REQUIRE(store->add(datasetOf(folder.write("a.log", "a"), rampColumn(1, 50)), {}, job));
    REQUIRE(store->add(datasetOf(folder.write("a.log", "ab"), rampColumn(1, 90)), {}, job));
    REQUIRE(store->append(Annotation{0, 0.0, "1", "first", "me", {}, {}}));
    REQUIRE(store->append(Annotation{0, 0.0, "1", "second", "me", {}, {}}));
    return folder.path() / "case";
}

CaseCheck checkOf(const std::filesystem::path& folder)
{
    auto store = CaseStore::open(folder, CaseAccess::Read);
    REQUIRE(store);
    JobContext job;
    auto check = store->check(job);
    REQUIRE(check);
    return *check;
}

std::filesystem::path firstSegment(const std::filesystem::path& folder)
{
    return *std::filesystem::directory_iterator(folder / "series");
}

}  // namespace

TEST_CASE("every table refuses update, delete and an existing key", "[core][store]")
{
    const TemporaryFolder folder;
    const auto at = caseWithTwoAdds(folder);
    for (const char* table : {"annotations", "sources", "files", "segments", "runs", "commits"}) {
        CAPTURE(table);
        CHECK_THAT(tamper(at, fmt::format("UPDATE {} SET hash = 'x'", table)),
            Catch::Matchers::ContainsSubstring("append-only"));
        CHECK_THAT(tamper(at, fmt::format("DELETE FROM {}", table)),
            Catch::Matchers::ContainsSubstring("append-only"));
        CHECK_THAT(
            tamper(at, fmt::format("INSERT OR REPLACE INTO {0} SELECT * FROM {0} LIMIT 1", table)),
            Catch::Matchers::ContainsSubstring("exists"));
    }
    // The same natural key under another row number would replace the old row as well.
    CHECK_THAT(tamper(at,
                   "INSERT OR REPLACE INTO files SELECT 999, name, bytes, sha256, hash FROM "
                   "files LIMIT 1"),
        Catch::Matchers::ContainsSubstring("exists"));
    CHECK(checkOf(at).sound());
}

TEST_CASE("a changed, removed or forged row is named", "[core][store]")
{
    const TemporaryFolder folder;
    const auto at = caseWithTwoAdds(folder);
    struct Forgery {
        const char* sql;
        const char* table;
        std::int64_t row;
    };
    const auto forgery = GENERATE(values<Forgery>({
        {"DROP TRIGGER annotations_no_UPDATE; UPDATE annotations SET note='x' WHERE seq=2",
            "annotations", 2},
        {"DROP TRIGGER annotations_no_DELETE; DELETE FROM annotations WHERE seq=1", "annotations",
            1},
        {"DROP TRIGGER annotations_no_DELETE; DELETE FROM annotations WHERE seq=2", "annotations",
            2},
        {"DROP TRIGGER runs_no_UPDATE; UPDATE runs SET run_id='other' WHERE seq=1", "runs", 1},
        {"INSERT INTO statuses VALUES (1, 1.0, 'c', '', 'committed', '', '', 'me', 'forged')",
            "statuses", 1},
    }));
    CAPTURE(forgery.sql);
    REQUIRE(tamper(at, forgery.sql).empty());
    const CaseCheck check = checkOf(at);
    REQUIRE(check.broken.size() == 1);
    CHECK(check.broken[0].table == forgery.table);
    CHECK(check.broken[0].row == forgery.row);
}

TEST_CASE("a changed or missing segment is reported and its columns are left out", "[core][store]")
{
    const TemporaryFolder folder;
    const auto at = caseWithTwoAdds(folder);
    const auto segment = firstSegment(at);
    std::string content = contentOf(segment);
    const int how = GENERATE(0, 1, 2, 3);
    if (how == 0)
        content[content.size() / 2] = static_cast<char>(content[content.size() / 2] ^ 4);
    else if (how == 1)
        content.resize(100);
    else if (how == 2)
        content.assign(content.size(), 'x');
    if (how == 3)
        std::filesystem::remove(segment);
    else
        std::ofstream(segment, std::ios::binary) << content;
    CHECK(checkOf(at).problems.at(0).code == "segment-damaged");
    JobContext job;
    const auto dataset = CaseStore::open(at, CaseAccess::Read)->loadDataset(job);
    REQUIRE(dataset);
    CHECK((*dataset)->runs.at(0)->series.at(0).column(0) == nullptr);
    CHECK_THAT((*dataset)->diagnostics.at(0).message,
        Catch::Matchers::ContainsSubstring(segment.filename().string()));
}

TEST_CASE("files that the database does not name are ignored and listed", "[core][store]")
{
    const TemporaryFolder folder;
    const auto at = caseWithTwoAdds(folder);
    std::ofstream(at / "series" / "stranger.h5") << "x";
    const CaseCheck check = checkOf(at);
    CHECK(check.sound());
    CHECK(check.unnamedFiles == std::vector<std::string>{"series/stranger.h5"});
}

TEST_CASE("a damaged case.db never crashes and gives a sentence", "[core][store]")
{
    const TemporaryFolder folder;
    const auto at = caseWithTwoAdds(folder);
    const std::string good = contentOf(at / "case.db");
    std::mt19937 random(7);
    int refused = 0;
    for (int round = 0; round < 200; ++round) {
        std::string bad = good;
        for (int flip = 0; flip < 8; ++flip)
            bad[random() % bad.size()] = static_cast<char>(random());
        if (round % 10 == 0)
            bad.resize(random() % bad.size());
        std::ofstream(at / "case.db", std::ios::binary) << bad;
        auto store = CaseStore::open(at, CaseAccess::Read);
        JobContext job;
        if (!store) {
            ++refused;
            CHECK_FALSE(store.error().message.empty());
            continue;
        }
        static_cast<void>(store->loadDataset(job));
        static_cast<void>(store->storedIncidents());
        const auto check = store->check(job);
        if (!check || !check->sound())
            ++refused;
    }
    CHECK(refused > 100);  // flips in free space harm nothing
}

TEST_CASE("a second writer is told who holds the case, a reader is not", "[core][store]")
{
    const TemporaryFolder folder;
    auto writer = CaseStore::create(folder.path() / "case");
    REQUIRE(writer);
    const auto second = CaseStore::open(folder.path() / "case", CaseAccess::Write);
    REQUIRE_FALSE(second);
    CHECK_THAT(second.error().message,
        Catch::Matchers::ContainsSubstring(fmt::format("process {}", ::getpid())));
    CHECK(CaseStore::open(folder.path() / "case", CaseAccess::Read));
    CHECK_FALSE(CaseStore::create(folder.path() / "case"));
}

TEST_CASE("the lock file of a dead process does not hold anyone up", "[core][store]")
{
    const TemporaryFolder folder;
    const auto at = caseWithTwoAdds(folder);
    std::ofstream(at / "case.lock") << "process 1 on elsewhere since 0\n";
    CHECK(CaseStore::open(at, CaseAccess::Write));
}

TEST_CASE("a newer schema is refused with a sentence", "[core][store]")
{
    const TemporaryFolder folder;
    const auto at = caseWithTwoAdds(folder);
    REQUIRE(tamper(at, "PRAGMA user_version=2").empty());
    const CaseAccess access = GENERATE(CaseAccess::Read, CaseAccess::Write);
    const auto store = CaseStore::open(at, access);
    REQUIRE_FALSE(store);
    CHECK(store.error().code == ErrorCode::Unsupported);
    CHECK_THAT(store.error().message, Catch::Matchers::ContainsSubstring("newer firstbad"));
}

TEST_CASE("an older schema is copied, then migrated step by step", "[core][store]")
{
    const TemporaryFolder folder;
    const auto path = folder.path() / "old.db";
    auto database = Database::open(path, DatabaseMode::Create);
    REQUIRE(database);
    REQUIRE(database->execute(fmt::format(
        "PRAGMA application_id={}; CREATE TABLE old (a INTEGER); INSERT INTO old VALUES (7);",
        kApplicationId)));
    const std::vector<MigrationStep> steps{
        {0, [](Database& db) { return db.execute("ALTER TABLE old ADD COLUMN b INTEGER"); }},
        {1, [](Database& db) { return db.execute("UPDATE old SET b = a + 1"); }}};

    CHECK_FALSE(bringUpToDate(*database, steps, 2, false));
    CHECK_FALSE(bringUpToDate(*database, std::span(steps).first(1), 2, true));
    CHECK(database->integer("PRAGMA user_version") == 1);  // the step that exists was made
    REQUIRE(bringUpToDate(*database, steps, 2, true));
    CHECK(database->integer("SELECT b FROM old") == 8);
    CHECK(database->integer("PRAGMA user_version") == 2);

    auto copy = Database::open(path.string() + ".schema0.copy", DatabaseMode::Read);
    REQUIRE(copy);
    CHECK(copy->integer("SELECT a FROM old") == 7);
    CHECK(copy->integer("SELECT count(*) FROM pragma_table_info('old')") == 1);
}

TEST_CASE("a folder that may not be written gives a sentence", "[core][store]")
{
    const TemporaryFolder folder;
    folder.write("plain", "a file, no folder");
    const auto made = CaseStore::create(folder.path() / "plain" / "case");
    REQUIRE_FALSE(made);
    CHECK_THAT(made.error().message, Catch::Matchers::ContainsSubstring("plain"));
    CHECK(CaseStore::open(folder.path(), CaseAccess::Read).error().code == ErrorCode::NotFound);
}
