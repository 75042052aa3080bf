// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/checkpoint/checkpoint_reader.h"
#include "core/checkpoint/numpy/numpy_readers.h"
#include "core/checkpoint/torch/torch_readers.h"

#include <array>

namespace firstbad::core {

std::span<const CheckpointReader> checkpointReaderTable() noexcept
{
    // One line a format; ties in sniffing are won by the earlier line.
    static constexpr std::array kTable{
        CheckpointReader{"torch-zip", "torch.save (zip), TorchScript, torch.export", false,
            &sniffTorchZip, &openTorchZip},
        CheckpointReader{"torch-legacy", "torch.save before PyTorch 1.6", false, &sniffTorchLegacy,
            &openTorchLegacy},
        CheckpointReader{"npy", "NumPy array", false, &sniffNpy, &openNpy},
        CheckpointReader{"npz", "archive of NumPy arrays", false, &sniffNpz, &openNpz},
    };
    return kTable;
}

}  // namespace firstbad::core
