// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/restore/assess_saves.h"

#include "core/base/hash.h"
#include "core/base/text.h"
#include "core/restore/incident_margin.h"
#include "core/restore/scan_place.h"

#include <algorithm>
#include <chrono>
#include <fmt/format.h>
#include <set>
#include <sys/stat.h>

namespace firstbad::core {
namespace {

namespace fs = std::filesystem;

std::string folderOf(const CheckpointPlace& place)
{
    std::error_code ignored;
    fs::path path = fs::absolute(place.location, ignored).lexically_normal();
    if (!path.has_filename())
        path = path.parent_path();
    return path.parent_path().string();
}

double modifiedAt(const fs::path& path)
{
    struct stat facts {
    };
    if (::stat(path.c_str(), &facts) != 0)
        return 0.0;
    constexpr double kNano = 1e-9;
    return static_cast<double>(facts.st_mtim.tv_sec)
        + static_cast<double>(facts.st_mtim.tv_nsec) * kNano;
}

void warn(SaveRecord& record, std::string_view code, std::string text, std::string file = {})
{
    CheckpointWarning warning;
    warning.code = code;
    warning.text = std::move(text);
    warning.file = std::move(file);
    record.warnings.push_back(std::move(warning));
}

/// Which parts of a training state a checkpoint holds.
std::set<TensorKind> sectionsOf(const Checkpoint& checkpoint)
{
    std::set<TensorKind> sections;
    for (const CheckpointTensor& tensor : checkpoint.tensors) {
        if (tensor.kind == TensorKind::Param || tensor.kind == TensorKind::Optimizer
            || tensor.kind == TensorKind::Master)
            sections.insert(tensor.kind);
    }
    return sections;
}

std::string_view sectionName(TensorKind kind)
{
    switch (kind) {
    case TensorKind::Param:
        return "model";
    case TensorKind::Master:
        return "fp32 master weights";
    default:
        return "optimizer state";
    }
}

class Assessor
{
public:
    Assessor(const SaveContext& context, JobContext& job, std::vector<SaveRecord>& records)
        : m_context(context)
        , m_job(job)
        , m_records(records)
    { }

    Result<void> run(const std::vector<CheckpointPlace>& places)
    {
        for (const CheckpointPlace& place : places) {
            auto scan = scanAndJudge(place, m_job);
            if (!scan)
                return tl::unexpected(std::move(scan.error()));
            m_records.push_back(recordOf(place, std::move(*scan)));
        }
        for (SaveRecord& record : m_records) {
            if (auto done = useLedger(record); !done)
                return done;
        }
        findParents();
        for (SaveRecord& record : m_records) {
            if (auto done = compare(record); !done)
                return done;
            compareSections(record);
            if (m_context.assessment != nullptr)
                placeAmongIncidents(record, *m_context.assessment, m_context.cleanSteps);
            const auto word = m_context.words.find(locationOf(record));
            if (word != m_context.words.end())
                record.person = word->second;
            decideStatus(record);
        }
        return {};
    }

private:
    static SaveRecord recordOf(const CheckpointPlace& place, CheckpointScan scan)
    {
        SaveRecord record;
        record.place = place;
        record.scan = std::move(scan);
        record.step = record.scan.checkpoint.step;
        if (!record.step)
            record.step = stepInName(place.shown);
        record.parent = record.scan.checkpoint.parent;
        record.warnings = record.scan.checkpoint.warnings;
        record.modified = modifiedAt(place.location);
        return record;
    }

    static std::string locationOf(const SaveRecord& record)
    {
        std::error_code ignored;
        return fs::weakly_canonical(record.place.location, ignored).string();
    }

    Result<void> useLedger(SaveRecord& record)
    {
        const LedgerSave* save = matchSave(m_context.ledgerSaves, record.place.shown);
        if (save == nullptr)
            return {};
        if (!record.step)
            record.step = save->step;
        if (record.parent.empty())
            record.parent = save->parent;
        if (!save->forensic.empty())
            warn(record, "forensic",
                fmt::format(
                    "Made while a fault was looked into, not to go on from: {}.", save->forensic),
                save->ledger);
        for (const LedgerFile& file : save->files) {
            if (auto done = checkFile(record, *save, file); !done)
                return done;
        }
        return {};
    }

    /// The ledger's paths and the checkpoint's share their end; what is before it may differ.
    Result<void> checkFile(SaveRecord& record, const LedgerSave& save, const LedgerFile& file)
    {
        const std::string inside = fs::path(file.path).lexically_relative(save.path).string();
        const bool isBelow = !inside.empty() && !inside.starts_with("..");
        const fs::path path
            = !isBelow || inside == "." ? record.place.location : record.place.location / inside;
        std::error_code failure;
        if (!fs::is_regular_file(path, failure)) {
            warn(record, "hash-mismatch",
                fmt::format("{} is named in the ledger and is not there.", file.path), file.path);
            return {};
        }
        const auto bytes = fs::file_size(path, failure);
        if (!failure && file.bytes && bytes != *file.bytes) {
            warn(record, "hash-mismatch",
                fmt::format("{} has {} bytes, the ledger says {}.", file.path, bytes, *file.bytes),
                file.path);
            return {};
        }
        if (!m_context.checkHashes || file.sha256.empty())
            return {};
        const auto hash = sha256OfFile(path, m_job);
        if (!hash && hash.error().code == ErrorCode::Cancelled)
            return tl::unexpected(hash.error());
        if (hash && !equalsIgnoringCase(*hash, file.sha256))
            warn(record, "hash-mismatch",
                fmt::format("{} is not the file that was saved: its SHA-256 differs from the "
                            "ledger's.",
                    file.path),
                file.path);
        return {};
    }

    void findParents()
    {
        for (std::size_t r = 0; r < m_records.size(); ++r) {
            SaveRecord& record = m_records[r];
            for (std::size_t p = 0; p < m_records.size() && !record.parent.empty(); ++p) {
                if (p != r && isEndOfPath(m_records[p].place.shown, record.parent))
                    record.parentRecord = p;
            }
            if (!record.parentRecord && record.parent.empty())
                record.parentRecord = saveBefore(r);
            if (record.parentRecord)
                record.parent = m_records[*record.parentRecord].place.shown;
        }
    }

    /// The save with the next smaller step in the same folder.
    std::optional<std::size_t> saveBefore(std::size_t r) const
    {
        const SaveRecord& record = m_records[r];
        std::optional<std::size_t> before;
        for (std::size_t p = 0; p < m_records.size() && record.step; ++p) {
            const SaveRecord& other = m_records[p];
            if (!other.step || *other.step >= *record.step
                || folderOf(other.place) != folderOf(record.place))
                continue;
            if (!before || *other.step > *m_records[*before].step)
                before = p;
        }
        return before;
    }

    Result<void> compare(SaveRecord& record)
    {
        const auto isReadable = [](const SaveRecord& one) {
            return one.scan.verdict == ScanVerdict::Finite
                || one.scan.verdict == ScanVerdict::Nonfinite;
        };
        if (!record.parentRecord || !isReadable(record)
            || !isReadable(m_records[*record.parentRecord]))
            return {};
        auto warnings = compareWithParent(record.scan, m_records[*record.parentRecord].scan, m_job);
        if (!warnings)
            return tl::unexpected(std::move(warnings.error()));
        for (CheckpointWarning& warning : *warnings)
            record.warnings.push_back(std::move(warning));
        return {};
    }

    /// A save that lacks what its siblings have was not finished.
    void compareSections(SaveRecord& record)
    {
        const std::set<TensorKind> own = sectionsOf(record.scan.checkpoint);
        std::set<TensorKind> others;
        std::string example;
        const auto look = [&](const CheckpointPlace& place, const Checkpoint& checkpoint) {
            if (folderOf(place) != folderOf(record.place)
                || place.location == record.place.location)
                return;
            for (const TensorKind kind : sectionsOf(checkpoint)) {
                if (own.count(kind) == 0 && others.insert(kind).second)
                    example = place.shown;
            }
        };
        for (const SaveRecord& other : m_records)
            look(other.place, other.scan.checkpoint);
        for (const CheckpointPlace& place : m_context.siblings) {
            if (const auto opened = openPlace(place, m_job))
                look(place, *opened);
        }
        for (const TensorKind kind : others)
            warn(record, "missing-section",
                fmt::format("It holds no {}, as {} does: the save was not finished.",
                    sectionName(kind), example));
    }

    const SaveContext& m_context;
    JobContext& m_job;
    std::vector<SaveRecord>& m_records;
};

}  // namespace

Result<std::vector<SaveRecord>> assessSaves(
    const std::vector<CheckpointPlace>& places, const SaveContext& context, JobContext& job)
{
    std::vector<SaveRecord> records;
    if (auto done = Assessor(context, job, records).run(places); !done)
        return tl::unexpected(std::move(done.error()));
    return records;
}

std::vector<CheckpointPlace> findSiblings(const CheckpointPlace& place, JobContext& job)
{
    constexpr std::size_t kMost = 4;
    std::vector<CheckpointPlace> siblings;
    const fs::path folder = folderOf(place);
    const std::string own = fs::path(place.location).lexically_normal().filename().string();
    if (!isNamedLikeSave(own))
        return siblings;
    std::vector<std::string> names;
    std::error_code failure;
    fs::directory_iterator entry(folder, failure);
    for (; !failure && entry != fs::directory_iterator(); entry.increment(failure)) {
        const std::string name = entry->path().filename().string();
        if (name != own && isNamedLikeSave(name))
            names.push_back(name);
    }
    std::sort(names.begin(), names.end());
    for (std::size_t i = 0; i < std::min(names.size(), kMost); ++i) {
        if (auto found = findOneCheckpoint((folder / names[i]).string(), job))
            siblings.push_back(std::move(*found));
    }
    return siblings;
}

std::vector<std::string> rotationWarnings(const std::vector<SaveRecord>& records)
{
    std::map<std::string, std::vector<std::size_t>> folders;
    for (const std::size_t r : newestFirst(records))
        folders[folderOf(records[r].place)].push_back(r);
    std::vector<std::string> warnings;
    for (const auto& [folder, saves] : folders) {
        const auto safe = std::find_if(saves.begin(), saves.end(),
            [&](std::size_t r) { return records[r].status == SaveStatus::Committed; });
        const bool isLast = safe != saves.end() && safe + 1 == saves.end() && saves.size() > 1;
        if (isLast)
            warnings.push_back(
                fmt::format("{} is the only safe save in {} and the oldest of {}: if "
                            "only the last {} are kept, the next save deletes it. "
                            "Copy it away.",
                    records[*safe].place.shown, folder, saves.size(), saves.size()));
        if (safe == saves.end() && saves.size() > 1)
            warnings.push_back(fmt::format(
                "None of the {} saves in {} is safe: rotation may have deleted the last one.",
                saves.size(), folder));
    }
    return warnings;
}

}  // namespace firstbad::core
