// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/checkpoint_notes.h"

#include "app/cli/case_access.h"
#include "app/cli/saves_input.h"
#include "core/base/json_writer.h"
#include "core/base/text.h"
#include "core/base/time.h"
#include "core/base/user.h"
#include "core/present/text/line_builder.h"
#include "core/restore/find_checkpoints.h"
#include "core/restore/scan_place.h"

#include <algorithm>
#include <fmt/format.h>

namespace firstbad::cli {
namespace {

std::string lastStatus(const std::vector<core::StatusChange>& changes, const std::string& key)
{
    std::string last;
    for (const core::StatusChange& change : changes) {
        if (change.checkpoint == key)
            last = change.after;
    }
    return last;
}

/// The sentence that refuses to release `path`; empty when it may be released.
core::Result<std::string> refusalOf(const std::string& path, core::JobContext& job)
{
    const auto place = core::findOneCheckpoint(path, job);
    if (!place)
        return tl::unexpected(place.error());
    const auto scan = core::scanAndJudge(*place, job);
    if (!scan)
        return tl::unexpected(scan.error());
    const bool isBad = scan->verdict != core::ScanVerdict::Finite
        && scan->verdict != core::ScanVerdict::Unsupported;
    return isBad ? fmt::format("{} is {}: {} It is released only with --override.",
               core::escapedForTerminal(path), toString(scan->verdict), scan->reason)
                 : std::string();
}

void writeChange(core::JsonWriter& json, const core::StatusChange& change)
{
    json.beginObject();
    json.member("checkpoint", change.checkpoint);
    json.member("old", change.before);
    json.member("new", change.after);
    json.member("reason", change.reason);
    json.member("evidence", change.evidence);
    json.member("who", change.who);
    json.member("when", core::toIso8601(change.time));
    json.endObject();
}

Answer answerWith(const std::vector<core::StatusChange>& changes, const Environment& environment)
{
    constexpr int kIndent = 4;
    Answer answer;
    core::JsonWriter json;
    json.beginObject();
    json.key("history");
    json.beginArray();
    core::StyledText out;
    for (const core::StatusChange& change : changes) {
        writeChange(json, change);
        core::LineBuilder line(environment.style);
        line.add(core::toIso8601(change.time), core::Role::Muted).add("  ");
        line.addFromFile(
            fmt::format("{} -> {}", change.before.empty() ? "new" : change.before, change.after),
            core::Role::Strong);
        line.addFromFile(fmt::format("  {}  by {}", change.checkpoint, change.who));
        out.push_back(line.take());
        core::addLabelled(out, environment.style, "", kIndent, change.reason);
    }
    json.endArray();
    json.endObject();
    answer.resultJson = json.take();
    answer.text = changes.empty() ? "no status was recorded\n" : render(out, environment.style);
    return answer;
}

core::Result<Answer> addNote(
    core::CaseStore& store, const std::string& key, const CheckpointNote& note)
{
    const auto row
        = store.append(core::Annotation{0, 0.0, key, note.note, core::loginName(), {}, {}});
    if (!row)
        return tl::unexpected(row.error());
    Answer answer;
    answer.text = fmt::format("note {} added\n", *row);
    answer.resultJson = fmt::format("{{\"annotation\":{}}}", *row);
    return answer;
}

core::Result<Answer> changeStatus(core::CaseStore& store, const std::string& path,
    const CheckpointNote& note, const Environment& environment, core::JobContext& job)
{
    const auto changes = store.statusChanges();
    if (!changes)
        return tl::unexpected(changes.error());
    if (note.status != "quarantined" && !note.override) {
        const auto refusal = refusalOf(path, job);
        if (!refusal)
            return tl::unexpected(refusal.error());
        if (!refusal->empty()) {
            Answer refused;
            refused.status = ExitStatus::Refused;
            refused.resultJson = "null";
            refused.diagnostics.push_back({core::Severity::Error, "refused", *refusal, {}});
            return refused;
        }
    }
    core::StatusChange change;
    change.checkpoint = checkpointKey(path);
    change.before = lastStatus(*changes, change.checkpoint);
    change.after = note.status;
    change.reason = note.because;
    change.evidence = note.override ? "override: released although the file itself is bad" : "";
    change.who = core::loginName();
    if (const auto row = store.append(change); !row)
        return tl::unexpected(row.error());
    return checkpointHistory({path}, environment);
}

}  // namespace

core::Result<Answer> annotateCheckpoint(const std::vector<std::string>& paths,
    const CheckpointNote& note, const Environment& environment, core::JobContext& job)
{
    if (paths.size() != 1)
        return usageAnswer("checkpoint annotate takes exactly one path.");
    if (note.note.empty() && (note.status.empty() || note.because.empty()))
        return usageAnswer("checkpoint annotate needs --note, or --status with --because.");
    if (!findCaseFolder(environment))
        return usageAnswer("checkpoint annotate needs a case: name one with -C.");
    auto store = openCase(environment, core::CaseAccess::Write);
    if (!store)
        return tl::unexpected(std::move(store.error()));
    if (note.status.empty())
        return addNote(*store, checkpointKey(paths.front()), note);
    return changeStatus(*store, paths.front(), note, environment, job);
}

core::Result<Answer> checkpointHistory(
    const std::vector<std::string>& paths, const Environment& environment)
{
    const auto store = openCase(environment, core::CaseAccess::Read);
    if (!store)
        return tl::unexpected(store.error());
    auto changes = store->statusChanges();
    if (!changes)
        return tl::unexpected(changes.error());
    std::vector<std::string> keys;
    for (const std::string& path : paths)
        keys.push_back(checkpointKey(path));
    std::vector<core::StatusChange> asked;
    for (core::StatusChange& change : *changes) {
        if (keys.empty() || std::find(keys.begin(), keys.end(), change.checkpoint) != keys.end())
            asked.push_back(std::move(change));
    }
    return answerWith(asked, environment);
}

}  // namespace firstbad::cli
