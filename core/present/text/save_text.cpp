// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/present/text/save_text.h"

#include "core/base/text.h"
#include "core/present/text/line_builder.h"

#include <algorithm>
#include <fmt/format.h>

namespace firstbad::core {
namespace {

constexpr int kStatusColumn = 14;
constexpr int kReasonIndent = 4;

struct StatusLook {
    Mark mark;
    Role role;
};

StatusLook lookOf(SaveStatus status)
{
    switch (status) {
    case SaveStatus::Committed:
        return {Mark::Committed, Role::Committed};
    case SaveStatus::Suspect:
        return {Mark::Suspect, Role::Suspect};
    case SaveStatus::Quarantined:
        break;
    }
    return {Mark::Quarantined, Role::Quarantined};
}

void addSave(StyledText& out, const SaveRecord& record, const TextStyle& style, bool verbose,
    int indent = 0, bool isPicked = false)
{
    const StatusLook look = lookOf(record.status);
    LineBuilder line(style);
    line.padTo(indent).add(look.mark).add(" ").add(toString(record.status), look.role);
    line.padTo(indent + kStatusColumn).addFromFile(record.place.shown, Role::Strong);
    if (record.step)
        line.add(fmt::format("  step {}", groupedInteger(*record.step)), Role::Muted);
    if (isPicked)
        line.add("  ").add(showable("←", style)).add(" picked");
    out.push_back(line.take());
    const std::size_t shown
        = verbose ? record.because.size() : std::min<std::size_t>(record.because.size(), 3);
    for (std::size_t i = 0; i < shown; ++i)
        addLabelled(out, style, "", indent + kReasonIndent, record.because[i]);
    if (shown < record.because.size())
        addLabelled(out, style, "", indent + kReasonIndent,
            fmt::format("{} more with -v", record.because.size() - shown), Role::Muted);
}

void addRotation(StyledText& out, const std::vector<std::string>& rotation, const TextStyle& style)
{
    constexpr int kLabel = 6;
    for (const std::string& warning : rotation)
        addLabelled(out, style, "note", kLabel, warning);
}

void addBranch(StyledText& out, const std::vector<SaveRecord>& records, std::size_t r, int depth,
    const TextStyle& style)
{
    constexpr int kStep = 2;
    constexpr int kDeepest = 20;
    addSave(out, records[r], style, false, std::min(depth, kDeepest) * kStep);
    for (std::size_t child = 0; child < records.size(); ++child) {
        const bool isChild = records[child].parentRecord == r && child != r;
        if (isChild && depth < static_cast<int>(records.size()))
            addBranch(out, records, child, depth + 1, style);
    }
}

}  // namespace

StyledText saveListText(const std::vector<SaveRecord>& records,
    const std::vector<std::string>& rotation, const TextStyle& style, bool verbose)
{
    StyledText out;
    for (const std::size_t r : newestFirst(records))
        addSave(out, records[r], style, verbose);
    if (records.empty())
        out.push_back(LineBuilder(style).add("no checkpoint").take());
    addRotation(out, rotation, style);
    return out;
}

StyledText pickText(const std::vector<SaveRecord>& records, const PickResult& pick,
    const TextStyle& style, bool verbose)
{
    StyledText out;
    for (const std::size_t r : newestFirst(records)) {
        const bool isPicked = pick.picked == r;
        addSave(out, records[r], style, verbose, 0, isPicked);
        if (isPicked)
            break;
    }
    LineBuilder line(style);
    if (pick.picked)
        line.addFromFile(records[*pick.picked].place.shown);
    else
        line.add("no checkpoint may be restored");
    out.push_back(line.take());
    return out;
}

StyledText gateText(const SaveRecord& record, const TextStyle& style)
{
    StyledText out;
    addSave(out, record, style, true);
    return out;
}

StyledText lineageText(const std::vector<SaveRecord>& records,
    const std::vector<std::string>& rotation, const TextStyle& style)
{
    StyledText out;
    for (std::size_t r = 0; r < records.size(); ++r) {
        if (!records[r].parentRecord)
            addBranch(out, records, r, 0, style);
    }
    addRotation(out, rotation, style);
    return out;
}

}  // namespace firstbad::core
