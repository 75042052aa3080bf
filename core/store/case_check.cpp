// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/store/case_check.h"

#include "core/store/case_loader.h"
#include "core/store/case_state.h"

#include <algorithm>
#include <fmt/format.h>
#include <set>

namespace firstbad::core {
namespace {

namespace fs = std::filesystem;

std::vector<std::string> filesIn(const fs::path& folder, const char* name)
{
    std::vector<std::string> names;
    std::error_code failure;
    for (fs::directory_iterator at(folder / name, failure), end; !failure && at != end;
         at.increment(failure))
        names.push_back(fmt::format("{}/{}", name, at->path().filename().string()));
    std::sort(names.begin(), names.end());
    return names;
}

}  // namespace

Result<CaseCheck> CaseStore::check(JobContext& job) const
{
    const Database& database = m_state->database;
    auto view = Transaction::begin(m_state->database, false);
    if (!view)
        return tl::unexpected(view.error());
    CaseCheck check;
    auto version = database.integer("PRAGMA user_version");
    if (!version)
        return tl::unexpected(version.error());
    check.schemaVersion = *version;
    auto journal = database.query("PRAGMA journal_mode");
    if (!journal)
        return tl::unexpected(journal.error());
    check.journal = journal->empty() ? std::string() : textOf(journal->front().front());
    auto chains = checkChains(database, check);
    if (!chains)
        return tl::unexpected(chains.error());

    auto files = database.query("SELECT name, bytes, sha256 FROM files ORDER BY seq");
    if (!files)
        return tl::unexpected(files.error());
    std::set<std::string> named;
    for (const Row& file : *files) {
        if (job.cancelled())
            return JobContext::cancelledError();
        const std::string name = textOf(file.at(0));
        const auto bytes = static_cast<std::uint64_t>(integerOf(file.at(1)));
        named.insert(name);
        ++check.segmentFiles;
        check.segmentBytes += bytes;
        auto content = verifyNamedFile(m_state->folder, name, bytes, textOf(file.at(2)), job);
        if (!content && content.error().code == ErrorCode::Cancelled)
            return tl::unexpected(content.error());
        if (!content)
            check.problems.push_back({Severity::Error, "segment-damaged", content.error().message,
                content.error().where.value_or(Where{})});
    }
    for (const char* folder : {"series", "evidence"})
        for (const std::string& name : filesIn(m_state->folder, folder))
            if (named.count(name) == 0)
                check.unnamedFiles.push_back(name);
    return check;
}

}  // namespace firstbad::core
