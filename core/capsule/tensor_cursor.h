// SPDX-License-Identifier: GPL-3.0-or-later
// TensorCursor: walks over the elements of one stored tensor, in order, in bounded memory.
//
// One thread; holds 64 KiB. Cancellable. An Error of the disk ends the walk and is kept.
#pragma once

#include "core/base/job_context.h"
#include "core/capsule/element_value.h"
#include "core/capsule/tensor_file.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace firstbad::core {

class TensorCursor
{
public:
    /// File, tensor and job outlive the cursor.
    TensorCursor(const TensorFile& file, const TensorEntry& tensor, JobContext& job);

    /// Moves to the next element; false at the end, on an error, when cancelled, and at once for
    /// types that are no plain numbers.
    [[nodiscard]] bool next();

    [[nodiscard]] std::uint64_t index() const noexcept { return m_index; }
    /// Of the current element.
    [[nodiscard]] double value() const noexcept;
    /// Of the current element of an integer type; a float is cut to its whole part.
    [[nodiscard]] std::int64_t integer() const noexcept;

    [[nodiscard]] const std::optional<Error>& error() const noexcept { return m_error; }

private:
    [[nodiscard]] bool fill();

    const TensorFile* m_file;
    const TensorEntry* m_tensor;
    JobContext* m_job;
    std::vector<char> m_buffer;
    std::size_t m_width;
    std::size_t m_at = 0;  // of the current element in the buffer
    std::size_t m_held = 0;
    std::uint64_t m_read = 0;  // bytes taken from the tensor
    std::uint64_t m_index = 0;
    bool m_begun = false;
    std::optional<Error> m_error;
};

}  // namespace firstbad::core
