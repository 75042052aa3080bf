// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/store/migration.h"

#include "core/base/text.h"
#include "core/store/case_folder.h"
#include "core/store/schema.h"

#include <algorithm>
#include <fmt/format.h>

namespace firstbad::core {
namespace {

/// Copies the whole database beside itself, under a name that is not taken.
Result<void> copyAside(Database& database, std::int64_t version)
{
    const std::string base = fmt::format("{}.schema{}", database.path().string(), version);
    std::string copy = base + ".copy";
    std::error_code ignored;
    for (int n = 2; std::filesystem::exists(copy, ignored); ++n)
        copy = fmt::format("{}.copy{}", base, n);
    auto done = database.run("VACUUM INTO ?", {copy});
    if (done)
        done = syncFile(copy);
    if (done)
        done = syncFolder(database.path().parent_path());
    return done;
}

Result<void> applyStep(Database& database, const MigrationStep& step)
{
    auto transaction = Transaction::begin(database, true);
    if (!transaction)
        return tl::unexpected(transaction.error());
    auto done = step.apply(database);
    if (done)
        done = database.execute(fmt::format("PRAGMA user_version={}", step.from + 1));
    return done ? transaction->commit() : done;
}

}  // namespace

std::span<const MigrationStep> migrationSteps()
{
    return {};
}

Result<void> bringUpToDate(
    Database& database, std::span<const MigrationStep> steps, std::int64_t newest, bool mayWrite)
{
    const std::string shown = escapedForTerminal(database.path().string());
    const Where where{database.path().string(), {}, {}};
    auto application = database.integer("PRAGMA application_id");
    if (!application)
        return tl::unexpected(application.error());
    auto version = database.integer("PRAGMA user_version");
    if (!version)
        return tl::unexpected(version.error());
    if (*application != kApplicationId)
        return fail(ErrorCode::Malformed, fmt::format("{} is not the database of a case.", shown),
            "Name the folder that `firstbad init` made.", where);
    if (*version > newest)
        return fail(ErrorCode::Unsupported,
            fmt::format("{} was written by a newer firstbad: its schema is {}, this program knows "
                        "up to {}.",
                shown, *version, newest),
            "Use the newer firstbad; nothing was changed.", where);
    if (*version == newest)
        return {};
    if (!mayWrite)
        return fail(ErrorCode::Unsupported,
            fmt::format(
                "{} has the older schema {}; reading it needs {}.", shown, *version, newest),
            "Run `firstbad add` in the case once: it copies case.db and migrates it.", where);
    auto done = copyAside(database, *version);
    for (std::int64_t at = *version; done && at < newest; ++at) {
        const auto step = std::find_if(
            steps.begin(), steps.end(), [&](const MigrationStep& one) { return one.from == at; });
        if (step == steps.end())
            return fail(ErrorCode::Unsupported,
                fmt::format("{} has the schema {}, from which there is no way up.", shown, at),
                "Add its sources to a new case.", where);
        done = applyStep(database, *step);
    }
    return done;
}

}  // namespace firstbad::core
