// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/checkpoint/checkpoint_reader.h"

#include <array>

namespace firstbad::core {

std::span<const CheckpointReader> checkpointReaderTable() noexcept
{
    // One line a format; ties in sniffing are won by the earlier line.
    static constexpr std::array<CheckpointReader, 0> kTable{};
    return kTable;
}

}  // namespace firstbad::core
