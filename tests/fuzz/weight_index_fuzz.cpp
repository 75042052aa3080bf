// SPDX-License-Identifier: GPL-3.0-or-later
// Fuzzes the index of a sharded model: any text gives names or a problem, never a crash.
#include "core/checkpoint/huggingface/weight_index.h"

#include <cstdlib>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    const auto index = firstbad::core::parseWeightIndex(
        std::string_view(reinterpret_cast<const char*>(data), size));
    if (index.weights.empty() && index.problem.empty() && size < 2)
        std::abort();  // nothing at all can not be an index
    return 0;
}
