// SPDX-License-Identifier: GPL-3.0-or-later
// Fuzzes the HDF5 checkpoint reader: whatever the library does ends only its child.
#include "core/checkpoint/hdf5/hdf5_reader.h"
#include "tests/fuzz/memory_file.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    const firstbad::test::MemoryFile file(data, size);
    firstbad::core::CheckpointHead head;
    head.path = file.path();
    head.shownPath = "fuzz.h5";
    head.bytes = size;
    firstbad::core::JobContext job;
    const auto checkpoint = firstbad::core::openHdf5Checkpoint(head, job);
    if (checkpoint && checkpoint->tensors.empty() && checkpoint->damage.empty() && size < 8)
        std::abort();  // too short for a signature: must be damage
    return 0;
}
