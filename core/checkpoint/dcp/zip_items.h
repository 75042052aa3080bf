// SPDX-License-Identifier: GPL-3.0-or-later
// Finds torch.save archives that lie back to back in a file whose table of contents was never
// written.
//
// Reads the file once, in windows of 1 MiB; memory does not grow with it. Cancellable.
#pragma once

#include "core/base/job_context.h"
#include "core/base/result.h"
#include "core/checkpoint/byte_source.h"

#include <vector>

namespace firstbad::core {

struct ZipItem {
    std::uint64_t offset = 0;
    std::uint64_t length = 0;
    bool complete = true;  ///< false: the file ends before the archive does
};

[[nodiscard]] Result<std::vector<ZipItem>> findZipItems(const ByteSource& source, JobContext& job);

}  // namespace firstbad::core
