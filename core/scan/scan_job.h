// SPDX-License-Identifier: GPL-3.0-or-later
// ScanJob: the threads of one scan. They read pieces, count, and leave the counts in the plans.
//
// Private to core/scan. run() blocks until every byte is read or the job is cancelled; one buffer a
// thread; counts are joined under one lock, once a piece and view.
#pragma once

#include "core/base/file.h"
#include "core/base/job_context.h"
#include "core/checkpoint/checkpoint.h"
#include "core/scan/read_cursor.h"
#include "core/scan/scan_checkpoint.h"
#include "core/scan/storage_plan.h"

#include <atomic>
#include <map>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace firstbad::core {

class ScanJob
{
public:
    ScanJob(const Checkpoint& checkpoint, std::vector<StoragePlan>& plans,
        const ScanOptions& options, JobContext& job);

    [[nodiscard]] Result<void> run();

    /// What was found wrong on the way: unreadable storages, checksums, files that changed.
    [[nodiscard]] std::vector<CheckpointDamage> takeDamage() { return std::move(m_damage); }
    [[nodiscard]] std::uint64_t bytesRead() const noexcept { return m_bytesRead; }

private:
    struct OpenFile {
        std::optional<InputFile> file;
        FileStamp stamp;
    };
    struct CrcPart {
        std::uint32_t crc = 0;
        std::uint64_t bytes = 0;
    };

    [[nodiscard]] bool isNeeded(std::size_t storage) const;
    void openFiles();
    void work();
    void workOnStreams(std::span<char> buffer);
    void readUnit(const ReadUnit& unit, std::span<char> buffer);
    void readStream(std::size_t storage, std::span<char> buffer);
    void process(std::size_t storage, std::uint64_t begin, std::span<char> bytes);
    void countChannel(Channel& channel, std::uint64_t begin, std::span<const char> bytes);
    void findFirst(Channel& channel, std::uint64_t begin, std::span<const char> bytes);
    void visitView(const Channel& channel, PlannedView& view, std::uint64_t begin,
        std::span<const char> bytes);
    void addDamage(CheckpointDamage damage);
    void checkSums();
    void checkFiles();

    const Checkpoint& m_checkpoint;
    std::vector<StoragePlan>& m_plans;
    const ScanOptions& m_options;
    JobContext& m_job;
    std::vector<OpenFile> m_files;
    ReadCursor m_cursor;
    std::vector<std::uint32_t> m_streams;
    std::atomic<std::size_t> m_nextStream{0};
    std::atomic<std::uint64_t> m_bytesRead{0};
    std::mutex m_mutex;  // guards the counts in m_plans, m_sums and m_damage while threads run
    std::vector<std::map<std::uint64_t, CrcPart>> m_sums;  // by storage, by first byte
    std::vector<CheckpointDamage> m_damage;
};

}  // namespace firstbad::core
