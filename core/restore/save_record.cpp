// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/restore/save_record.h"

#include "core/base/compare.h"
#include "core/judge/rules.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <numeric>

namespace firstbad::core {
namespace {

constexpr std::size_t kMostReasons = 12;

/// Why a file itself must never be restored; empty when nothing says so.
std::string quarantineReason(const SaveRecord& record)
{
    switch (record.scan.verdict) {
    case ScanVerdict::Nonfinite:
    case ScanVerdict::Damaged:
    case ScanVerdict::Refused:
        return fmt::format("{}: {}", toString(record.scan.verdict), record.scan.reason);
    case ScanVerdict::Unsupported:
    case ScanVerdict::Finite:
        break;
    }
    return {};
}

std::vector<std::string> suspicions(const SaveRecord& record)
{
    std::vector<std::string> reasons;
    if (record.scan.verdict == ScanVerdict::Unsupported)
        reasons.push_back("its values could not be read: " + record.scan.reason);
    if (!record.margin.empty())
        reasons.push_back(record.margin);
    for (const CheckpointWarning& warning : record.warnings) {
        if (!closesGate(warning.code))
            continue;
        if (reasons.size() >= kMostReasons)
            break;
        reasons.push_back(fmt::format("{}: {}", warning.code, warning.text));
    }
    return reasons;
}

/// A release of a file that is bad counts only if it was made knowing so.
void applyPerson(SaveRecord& record, bool fileIsBad)
{
    const PersonWord& word = *record.person;
    if (fileIsBad && word.status != SaveStatus::Quarantined && !word.isOverride)
        return;
    record.status = word.status;
    record.because.insert(record.because.begin(),
        fmt::format("{} by {}: {}", toString(word.status), word.who, word.reason));
}

}  // namespace

std::string_view toString(SaveStatus status) noexcept
{
    switch (status) {
    case SaveStatus::Committed:
        return "committed";
    case SaveStatus::Suspect:
        return "suspect";
    case SaveStatus::Quarantined:
        break;
    }
    return "quarantined";
}

std::optional<SaveStatus> saveStatusFrom(std::string_view word) noexcept
{
    for (const SaveStatus status :
        {SaveStatus::Committed, SaveStatus::Suspect, SaveStatus::Quarantined}) {
        if (toString(status) == word)
            return status;
    }
    return std::nullopt;
}

void decideStatus(SaveRecord& record)
{
    record.because.clear();
    const std::string never = quarantineReason(record);
    std::vector<std::string> doubts = suspicions(record);
    if (!never.empty()) {
        record.status = SaveStatus::Quarantined;
        record.because.push_back(never);
    } else if (!doubts.empty()) {
        record.status = SaveStatus::Suspect;
    } else {
        record.status = SaveStatus::Committed;
        record.because.emplace_back("complete, every tensor finite");
        if (!record.clean.empty())
            record.because.push_back(record.clean);
    }
    for (std::string& doubt : doubts)
        record.because.push_back(std::move(doubt));
    if (record.person)
        applyPerson(record, !never.empty());
}

std::vector<std::size_t> newestFirst(const std::vector<SaveRecord>& records)
{
    std::vector<std::size_t> order(records.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
        const SaveRecord& left = records[a];
        const SaveRecord& right = records[b];
        if (left.step.value_or(-1) != right.step.value_or(-1))
            return left.step.value_or(-1) > right.step.value_or(-1);
        if (orderedBefore(left.modified, right.modified)
            || orderedBefore(right.modified, left.modified))
            return orderedBefore(right.modified, left.modified);
        return left.place.shown < right.place.shown;
    });
    return order;
}

PickResult pickSave(const std::vector<SaveRecord>& records)
{
    PickResult result;
    for (const std::size_t r : newestFirst(records)) {
        if (records[r].status != SaveStatus::Committed)
            result.rejected.push_back(r);
        else if (!result.picked)
            result.picked = r;
    }
    return result;
}

}  // namespace firstbad::core
