// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/checkpoint/dcp/dcp_reader.h"

#include "core/checkpoint/dcp/dcp_part.h"
#include "core/checkpoint/folder/step_name.h"

namespace firstbad::core {

int sniffDcp(const CheckpointHead& head)
{
    return isDcpFolder(head.entries) ? 80 : 0;
}

Result<Checkpoint> openDcp(const CheckpointHead& head, JobContext& job)
{
    Checkpoint checkpoint;
    checkpoint.path = head.shownPath;
    const CheckpointFolder folder(head.path, head.shownPath);
    const auto isSafetensors = addDcp(checkpoint, folder, {}, job);
    if (!isSafetensors)
        return tl::unexpected(isSafetensors.error());
    checkpoint.format = *isSafetensors ? "dcp-safetensors" : "dcp";
    if (!checkpoint.step)
        checkpoint.step = stepOfName(head.path.filename().string());
    if (checkpoint.reason.empty() && !checkpoint.damage.empty())
        checkpoint.reason = checkpoint.damage.front().text;
    return checkpoint;
}

}  // namespace firstbad::core
