// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/checkpoint/checkpoint_reader.h"
#include "core/checkpoint/dcp/dcp_reader.h"
#include "core/checkpoint/deepspeed/deepspeed_reader.h"
#include "core/checkpoint/hdf5/hdf5_reader.h"
#include "core/checkpoint/huggingface/trainer_reader.h"
#include "core/checkpoint/huggingface/weights_reader.h"
#include "core/checkpoint/lightning/lightning_reader.h"
#include "core/checkpoint/megatron/megatron_reader.h"
#include "core/checkpoint/numpy/numpy_readers.h"
#include "core/checkpoint/safetensors/safetensors_reader.h"
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
        CheckpointReader{
            "safetensors", "safetensors, one file", false, &sniffSafetensors, &openSafetensors},
        CheckpointReader{
            "lightning", "PyTorch Lightning (.ckpt)", false, &sniffLightning, &openLightning},
        CheckpointReader{
            "keras", "Keras archive (.keras)", false, &sniffKerasArchive, &openKerasArchive},
        CheckpointReader{"hdf5", "HDF5, Keras weights among them", false, &sniffHdf5Checkpoint,
            &openHdf5Checkpoint},
        CheckpointReader{
            "hf-trainer", "folder of the Hugging Face Trainer", true, &sniffTrainer, &openTrainer},
        CheckpointReader{"weights", "folder of a model's weights, sharded or not", true,
            &sniffWeightsFolder, &openWeightsFolder},
        CheckpointReader{"megatron-root", "Megatron-LM run with its tracker file", true,
            &sniffMegatronRoot, &openMegatronRoot},
        CheckpointReader{"megatron", "Megatron-LM save: ranks, torch_dist or zarr", true,
            &sniffMegatronSave, &openMegatronSave},
        CheckpointReader{"deepspeed-root", "DeepSpeed run with its file latest", true,
            &sniffDeepSpeedRoot, &openDeepSpeedRoot},
        CheckpointReader{"deepspeed", "DeepSpeed save: ZeRO 1 to 3, universal", true,
            &sniffDeepSpeedSave, &openDeepSpeedSave},
        CheckpointReader{"dcp", "torch.distributed.checkpoint", true, &sniffDcp, &openDcp},
        CheckpointReader{
            "dcp-hf", "slices of HuggingFaceStorageWriter", true, &sniffHfSlices, &openHfSlices},
    };
    return kTable;
}

}  // namespace firstbad::core
