// SPDX-License-Identifier: GPL-3.0-or-later
// CaseStore: a case on disk, case.db (append-only rows in hash chains) and series/ (HDF5 segments).
//
// Move-only owner of one database connection; one thread at a time. Any number of readers, one
// writer (a lock file tells who). What add() has returned survives kill -9 and loss of power.
// add() costs one pass over the columns and writes only what is new; loadDataset() reads every
// segment once and checks its hash.
#pragma once

#include "core/base/job_context.h"
#include "core/base/result.h"
#include "core/detect/incident.h"
#include "core/import/dataset.h"
#include "core/store/case_check.h"
#include "core/store/case_records.h"
#include "core/store/evidence_file.h"

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace firstbad::core {

enum class CaseAccess : std::uint8_t { Read, Write };

/// What became of one source against what the case knew of it.
enum class SourceChange : std::uint8_t {
    New,
    Unchanged,
    Grew,  ///< the part known before is the same, byte for byte
    Changed,  ///< the part known before differs: kept as a new version
    Shrank,  ///< shorter than before: kept as a new version
};

/// "new", "unchanged", "grew", "changed", "shrank".
[[nodiscard]] std::string_view toString(SourceChange change) noexcept;

/// One source as the case knows it now.
struct StoredSource {
    SourceInfo info;
    std::int64_t number = 0;  ///< stable for one location
    std::int64_t version = 1;  ///< grows with each change of the source
    std::string location;  ///< absolute path, "!member" kept
    SourceChange change = SourceChange::New;  ///< of this version against the one before
};

struct AddedSource {
    std::string path;  ///< as the user named it
    SourceChange change = SourceChange::New;
};

/// The incidents that the judge found in one run of the data set that is added.
struct RunIncidents {
    std::string run;  ///< RunId
    std::vector<Incident> incidents;  ///< worst first
};

/// What one add() did. `anythingNew` is false when the case already held all of it.
struct AddReport {
    bool anythingNew = false;
    std::vector<AddedSource> sources;
    std::uint64_t newPoints = 0;
    std::uint64_t newRuns = 0;
    std::uint64_t grownRuns = 0;  ///< points were appended, nothing else changed
    std::uint64_t replacedRuns = 0;  ///< at least one column was written anew
    std::uint64_t newSegmentBytes = 0;
    Diagnostics diagnostics;  ///< changed and shrunk sources, runs stored under another name
};

/// The folder of the case that `start` lies in: the first of `start` and its parents that is a case
/// or has a case in its sub-folder "case". nullopt when there is none.
[[nodiscard]] std::optional<std::filesystem::path> findCase(const std::filesystem::path& start);

class CaseStore
{
public:
    /// Makes a case in `folder` (created if need be) and opens it for writing. A folder that is a
    /// case already is InvalidArgument; killed half-way, nothing that looks like a case remains.
    [[nodiscard]] static Result<CaseStore> create(const std::filesystem::path& folder);

    /// Opens a case. Write takes the writer's lock, or says who holds it, and migrates an older
    /// schema after copying case.db; a newer schema is Unsupported.
    [[nodiscard]] static Result<CaseStore> open(
        const std::filesystem::path& folder, CaseAccess access);

    CaseStore(CaseStore&& other) noexcept;
    CaseStore& operator=(CaseStore&& other) noexcept;
    CaseStore(const CaseStore&) = delete;
    CaseStore& operator=(const CaseStore&) = delete;
    ~CaseStore();

    [[nodiscard]] const std::filesystem::path& folder() const noexcept;

    /// `paths` and every stored source that shares a run with a source at or below one of them and
    /// still exists. Load these, not `paths` alone, so that a grown log keeps its run.
    [[nodiscard]] Result<std::vector<std::filesystem::path>> pathsToReadWith(
        std::span<const std::filesystem::path> paths) const;

    /// Stores what was read (load with ImportOptions::hashSources) and what was judged. Idempotent:
    /// only points, runs and incidents that are new are written; a column whose old part changed is
    /// written anew and supersedes. Relative source paths count from the current folder.
    [[nodiscard]] Result<AddReport> add(
        const Dataset& dataset, std::span<const RunIncidents> incidents, JobContext& job);

    /// Newest version of every source, in the order in which they were first added.
    [[nodiscard]] Result<std::vector<StoredSource>> sources() const;

    /// Everything that was added, newest state: columns equal those added bit for bit.
    [[nodiscard]] Result<std::shared_ptr<const Dataset>> loadDataset(JobContext& job) const;

    /// Newest judgement of every current run, in the order of the runs.
    [[nodiscard]] Result<std::vector<Incident>> storedIncidents() const;

    /// Checks chains, segments and their hashes; lists files that the database does not name.
    [[nodiscard]] Result<CaseCheck> check(JobContext& job) const;

    /// Moves the write-ahead log into case.db, so that one file holds all rows. For writers.
    [[nodiscard]] Result<void> settle() const;

    /// Small append-only records. Each returns the id of the new row.
    [[nodiscard]] Result<std::int64_t> append(const Annotation& annotation);
    [[nodiscard]] Result<std::int64_t> append(const StatusChange& change);
    [[nodiscard]] Result<std::int64_t> append(const JobRecord& job);
    [[nodiscard]] Result<std::int64_t> append(const BisectEntry& entry);
    /// Nothing new when the mapping is the newest of its name already.
    [[nodiscard]] Result<void> append(const NameMapping& mapping);
    /// Newest meaning of each name.
    [[nodiscard]] Result<std::vector<NameMapping>> nameMappings() const;
    [[nodiscard]] Result<std::vector<Annotation>> annotations() const;  ///< withdrawn ones marked
    [[nodiscard]] Result<std::vector<StatusChange>> statusChanges() const;
    [[nodiscard]] Result<std::vector<JobRecord>> jobs() const;
    [[nodiscard]] Result<std::vector<BisectEntry>> bisectLog(std::string_view bisect) const;

    /// Keeps members for good: one HDF5 file under a temporary name, synced, renamed, its SHA-256
    /// in case.db. `record` gives kind, name, content and body; a record that is there already is
    /// answered as it is and nothing is written.
    [[nodiscard]] Result<EvidenceRecord> keep(
        EvidenceRecord record, const std::vector<EvidenceMember>& members, JobContext& job);
    [[nodiscard]] Result<std::vector<EvidenceRecord>> evidence() const;  ///< oldest first
    /// The bytes of one member, checked against nothing but its own file: check() does hashes.
    [[nodiscard]] Result<std::string> readEvidence(
        const EvidenceRecord& record, const std::string& member, std::uint64_t limit) const;

private:
    struct State;
    explicit CaseStore(std::unique_ptr<State> state);

    std::unique_ptr<State> m_state;
};

}  // namespace firstbad::core
