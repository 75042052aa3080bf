// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/restore/ledger_saves.h"

#include "core/base/file.h"
#include "core/base/json_reader.h"
#include "core/base/text.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>

namespace firstbad::core {
namespace {

namespace fs = std::filesystem;

constexpr std::uint64_t kLargestLedger = std::uint64_t{64} << 20U;

std::string textIn(const JsonValue& object, std::string_view name)
{
    const JsonValue* found = object.find(name);
    return found == nullptr ? std::string() : std::string(found->asText());
}

LedgerSave saveFrom(const JsonValue& line, const std::string& ledger)
{
    LedgerSave save;
    save.ledger = ledger;
    save.path = textIn(line, "path");
    save.parent = textIn(line, "parent");
    if (const JsonValue* step = line.find("step"))
        save.step = step->asInteger();
    const JsonValue* files = line.find("files");
    for (std::size_t i = 0; files != nullptr && i < files->items.size(); ++i) {
        const JsonValue& file = files->items[i];
        LedgerFile known{textIn(file, "path"), std::nullopt, textIn(file, "sha256")};
        const JsonValue* bytes = file.find("bytes");
        const auto size = bytes == nullptr ? std::nullopt : bytes->asInteger();
        if (size && *size >= 0)
            known.bytes = static_cast<std::uint64_t>(*size);
        save.files.push_back(std::move(known));
    }
    return save;
}

/// A process that ends to repeat a failed step, by its own words or Megatron's exit codes.
bool asksForRerun(const std::string& message)
{
    constexpr std::array<std::string_view, 5> kWords{
        "exit status 16", "exit status 17", "exit code 16", "exit code 17", "rerun"};
    return std::any_of(kWords.begin(), kWords.end(),
        [&](std::string_view word) { return containsIgnoringCase(message, word); });
}

bool tellsOfFault(const std::string& note)
{
    return containsIgnoringCase(note, "rerun") || containsIgnoringCase(note, "validation failed")
        || containsIgnoringCase(note, "forensic");
}

/// Reads one ledger; a fault that is being looked into marks the saves made from then on.
void readOne(const fs::path& ledger, std::vector<LedgerSave>& saves)
{
    const auto text = readWholeFile(ledger, kLargestLedger);
    if (!text)
        return;
    const std::size_t first = saves.size();
    std::string fault;
    std::string_view rest = *text;
    while (!rest.empty()) {
        const std::size_t end = std::min(rest.find('\n'), rest.size());
        const std::string_view line = rest.substr(0, end);
        rest.remove_prefix(std::min(end + 1, rest.size()));
        const bool concerns = line.find("\"checkpoint\"") != std::string_view::npos
            || line.find("\"note\"") != std::string_view::npos
            || line.find("\"end\"") != std::string_view::npos;
        const auto parsed = concerns ? parseJson(line) : Result<JsonValue>(JsonValue());
        const std::string kind = parsed ? textIn(*parsed, "kind") : std::string();
        if (kind == "checkpoint") {
            saves.push_back(saveFrom(*parsed, ledger.string()));
            saves.back().forensic = fault;
        } else if (kind == "note" && tellsOfFault(textIn(*parsed, "text"))) {
            fault = "saved after the note: " + textIn(*parsed, "text");
        } else if (kind == "end" && asksForRerun(textIn(*parsed, "message")) && saves.size() > first
            && saves.back().forensic.empty()) {
            saves.back().forensic = "the process then ended with: " + textIn(*parsed, "message");
        }
    }
}

bool isLedger(const fs::path& path)
{
    return path.filename().string().ends_with(".ledger.jsonl");
}

void addLedgersIn(const fs::path& folder, std::vector<fs::path>& ledgers)
{
    std::error_code failure;
    fs::directory_iterator entry(folder, failure);
    for (; !failure && entry != fs::directory_iterator(); entry.increment(failure)) {
        if (isLedger(entry->path()))
            ledgers.push_back(entry->path());
    }
}

}  // namespace

std::vector<LedgerSave> readLedgerSaves(const std::vector<fs::path>& ledgers, JobContext& job)
{
    std::vector<LedgerSave> saves;
    for (const fs::path& ledger : ledgers) {
        if (!job.cancelled())
            readOne(ledger, saves);
    }
    return saves;
}

std::vector<fs::path> findLedgers(const fs::path& path)
{
    constexpr int kFoldersAbove = 3;
    std::vector<fs::path> ledgers;
    std::error_code failure;
    if (fs::is_directory(path, failure)) {
        fs::recursive_directory_iterator entry(
            path, fs::directory_options::skip_permission_denied, failure);
        for (; !failure && entry != fs::recursive_directory_iterator(); entry.increment(failure)) {
            if (isLedger(entry->path()))
                ledgers.push_back(entry->path());
        }
    }
    fs::path folder = fs::absolute(path, failure).lexically_normal();
    if (!folder.has_filename())
        folder = folder.parent_path();
    for (int i = 0; i < kFoldersAbove && folder.has_relative_path(); ++i) {
        folder = folder.parent_path();
        addLedgersIn(folder, ledgers);
    }
    std::sort(ledgers.begin(), ledgers.end());
    ledgers.erase(std::unique(ledgers.begin(), ledgers.end()), ledgers.end());
    return ledgers;
}

bool isEndOfPath(const std::string& path, const std::string& end)
{
    const std::string whole = fs::path(path).lexically_normal().generic_string();
    std::string tail = fs::path(end).lexically_normal().generic_string();
    while (!tail.empty() && tail.back() == '/')
        tail.pop_back();
    std::string_view head = whole;
    while (!head.empty() && head.back() == '/')
        head.remove_suffix(1);
    return !tail.empty() && head.ends_with(tail)
        && (head.size() == tail.size() || head[head.size() - tail.size() - 1] == '/');
}

const LedgerSave* matchSave(const std::vector<LedgerSave>& saves, const std::string& checkpointPath)
{
    const LedgerSave* found = nullptr;
    for (const LedgerSave& save : saves) {
        if (isEndOfPath(checkpointPath, save.path))
            found = &save;
    }
    return found;
}

}  // namespace firstbad::core
