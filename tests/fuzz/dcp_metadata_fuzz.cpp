// SPDX-License-Identifier: GPL-3.0-or-later
// Fuzzes .metadata of a distributed checkpoint: any pickle gives a description or damage.
#include "core/checkpoint/dcp/dcp_metadata.h"

#include <cstdlib>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    firstbad::core::JobContext job;
    const auto metadata = firstbad::core::parseDcpMetadata(
        std::string(reinterpret_cast<const char*>(data), size), ".metadata", job);
    if (!metadata)
        std::abort();  // only a cancelled job is an error
    for (const auto& tensor : metadata->tensors) {
        const auto covered = firstbad::core::coverage(tensor.shape, tensor.chunks);
        if (covered.outside && covered.uncovered != 0)
            std::abort();
    }
    for (const auto& item : metadata->items) {
        if (item.offset < 0 || item.length < 0)
            std::abort();
    }
    return 0;
}
