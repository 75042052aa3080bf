// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/checkpoint/torch/torch_values.h"

#include "core/checkpoint/torch/tensor_collector.h"

namespace firstbad::core {

Result<void> collectPickledValues(std::string bytes, std::vector<PathPart> prefix,
    const std::string& member, Checkpoint& part, JobContext& job)
{
    const auto document = unpickle(std::move(bytes), job);
    if (!document)
        return tl::unexpected(document.error());
    TorchFileOptions options;
    options.prefix = std::move(prefix);
    TorchStorages storages(part, 0, "");
    return TensorCollector(*document, storages, options, member, job).collect();
}

}  // namespace firstbad::core
