// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/scan/scan_checkpoint.h"

#include "core/base/value_kind.h"
#include "core/scan/scan_job.h"
#include "core/scan/scan_verdict.h"
#include "core/scan/storage_plan.h"
#include "core/scan/tensor_report.h"

#include <chrono>
#include <fmt/format.h>

namespace firstbad::core {
namespace {

void collectBadScalars(CheckpointScan& scan)
{
    for (const CheckpointScalar& scalar : scan.checkpoint.scalars) {
        if (!isFinite(scalar.value))
            scan.badScalars.push_back(scalar);
    }
    for (const CheckpointTensor& tensor : scan.checkpoint.tensors) {
        for (std::size_t i = 0; i < tensor.scales.size(); ++i) {
            if (!isFinite(tensor.scales[i]))
                scan.badScalars.push_back(
                    {tensor.path, fmt::format("{}.scale[{}]", tensor.name, i), tensor.scales[i]});
        }
    }
}

}  // namespace

std::uint64_t bytesToScan(const Checkpoint& checkpoint) noexcept
{
    std::uint64_t bytes = 0;
    for (const Storage& storage : checkpoint.storages)
        bytes += storage.coding == StorageCoding::Missing ? 0 : storage.bytes;
    return bytes;
}

Result<CheckpointScan> scanCheckpoint(
    Checkpoint checkpoint, const ScanOptions& options, JobContext& job)
{
    const auto started = std::chrono::steady_clock::now();
    CheckpointScan scan;
    scan.checkpoint = std::move(checkpoint);
    std::vector<StoragePlan> plans = planStorages(scan.checkpoint);
    ScanJob threads(scan.checkpoint, plans, options, job);
    if (auto done = threads.run(); !done)
        return tl::unexpected(std::move(done.error()));
    scan.bytesRead = threads.bytesRead();
    scan.tensors = reportTensors(scan.checkpoint, plans);
    scan.unreferenced = reportUnreferenced(scan.checkpoint, plans);
    for (CheckpointDamage& damage : threads.takeDamage())
        scan.checkpoint.damage.push_back(std::move(damage));
    collectBadScalars(scan);
    scan.verdict = verdictOf(scan);
    scan.reason = reasonOf(scan);
    scan.seconds
        = std::chrono::duration<double>(std::chrono::steady_clock::now() - started).count();
    return scan;
}

}  // namespace firstbad::core
