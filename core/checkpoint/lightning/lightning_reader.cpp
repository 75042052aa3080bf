// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/checkpoint/lightning/lightning_reader.h"

#include "core/checkpoint/torch/torch_readers.h"

namespace firstbad::core {

int sniffLightning(const CheckpointHead& head)
{
    // Its version is one of the first keys of the pickle, which is the first record.
    constexpr int kCertain = 95;
    const bool isTorch = sniffTorchZip(head) > 0 || sniffTorchLegacy(head) > 0;
    return isTorch && head.head.find("pytorch-lightning_version") != std::string::npos ? kCertain
                                                                                       : 0;
}

Result<Checkpoint> openLightning(const CheckpointHead& head, JobContext& job)
{
    auto checkpoint
        = sniffTorchZip(head) > 0 ? openTorchZip(head, job) : openTorchLegacy(head, job);
    if (checkpoint)
        checkpoint->format = "lightning";
    return checkpoint;
}

}  // namespace firstbad::core
