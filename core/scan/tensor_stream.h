// SPDX-License-Identifier: GPL-3.0-or-later
// TensorStream: the bytes of one tensor again, in logical order, for the few rules that need more
// than counts.
//
// Owned by the caller, one thread at a time. Plain tensors and those in slabs of rows are read in
// place; others (strided, compressed) are gathered in memory up to a limit.
#pragma once

#include "core/base/file.h"
#include "core/base/job_context.h"
#include "core/checkpoint/checkpoint.h"

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

namespace firstbad::core {

class TensorStream
{
public:
    /// Unsupported when the tensor would have to be gathered and is larger than 16 MiB.
    [[nodiscard]] static Result<TensorStream> open(
        const Checkpoint& checkpoint, const CheckpointTensor& tensor, JobContext& job);

    /// Fills `buffer`; fewer bytes only at the end, 0 past it.
    [[nodiscard]] Result<std::size_t> read(std::span<char> buffer);
    [[nodiscard]] std::uint64_t bytes() const noexcept { return m_bytes; }
    /// The next read begins at this byte.
    void seek(std::uint64_t at) noexcept { m_at = at; }

private:
    struct Extent {
        std::size_t file = 0;  ///< index into m_files
        std::uint64_t offset = 0;
        std::uint64_t bytes = 0;
        std::uint64_t begin = 0;  ///< first byte in the tensor
    };

    TensorStream() = default;
    [[nodiscard]] bool layOut(const Checkpoint& checkpoint, const CheckpointTensor& tensor);
    [[nodiscard]] Result<void> openFiles(const Checkpoint& checkpoint);

    std::vector<Extent> m_extents;
    std::vector<std::uint32_t> m_fileNumbers;
    std::vector<InputFile> m_files;
    std::vector<char> m_memory;
    bool m_inMemory = false;
    std::uint64_t m_bytes = 0;
    std::uint64_t m_at = 0;
};

/// Visits all values of a tensor in logical order as doubles, with the index of the first of each
/// block; stops when the visitor returns false. The tensor has a floating-point type.
[[nodiscard]] Result<void> visitValues(const Checkpoint& checkpoint, const CheckpointTensor& tensor,
    JobContext& job,
    const std::function<bool(std::uint64_t first, std::span<const double> values)>& visit);

/// The same for two tensors of equal shape side by side; their types may differ.
[[nodiscard]] Result<void> visitPairs(const Checkpoint& checkpoint, const CheckpointTensor& tensor,
    const Checkpoint& otherCheckpoint, const CheckpointTensor& other, JobContext& job,
    const std::function<bool(std::uint64_t first, std::span<const double> values,
        std::span<const double> others)>& visit);

/// True when both tensors hold the same bytes; they have equal type and shape.
[[nodiscard]] Result<bool> holdSameBytes(const Checkpoint& checkpoint,
    const CheckpointTensor& tensor, const Checkpoint& otherCheckpoint,
    const CheckpointTensor& other, JobContext& job);

}  // namespace firstbad::core
