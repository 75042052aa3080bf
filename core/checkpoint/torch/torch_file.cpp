// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/checkpoint/torch/torch_file.h"

#include "core/checkpoint/torch/torch_sniff.h"

#include <fmt/format.h>
#include <iterator>

namespace firstbad::core {

Result<TorchFile> readTorchFile(
    const ByteSource& source, const TorchFileOptions& options, JobContext& job)
{
    const auto head = source.read(0, kTorchHeadBytes);
    if (!head)
        return tl::unexpected(head.error());
    if (isZipHead(*head))
        return readTorchZip(source, options, job);
    if (isTorchLegacyHead(*head))
        return readTorchLegacy(source, options, job);
    TorchFile stranger;
    stranger.part.format = "none";
    stranger.part.damage.push_back({source.size() == 0 ? "empty-file" : "not-a-checkpoint",
        options.memberPrefix.empty() ? options.shownPath : options.memberPrefix,
        fmt::format("{} is {}", options.shownPath,
            source.size() == 0 ? "empty (0 bytes)" : "no file of torch.save")});
    return stranger;
}

void appendPart(Checkpoint& whole, Checkpoint part)
{
    const auto shift = static_cast<std::uint32_t>(whole.storages.size());
    for (CheckpointTensor& tensor : part.tensors) {
        for (TensorPiece& piece : tensor.pieces)
            piece.storage += shift;
    }
    const auto append = [](auto& to, auto& from) {
        to.insert(
            to.end(), std::make_move_iterator(from.begin()), std::make_move_iterator(from.end()));
    };
    append(whole.storages, part.storages);
    append(whole.tensors, part.tensors);
    append(whole.scalars, part.scalars);
    append(whole.texts, part.texts);
    append(whole.damage, part.damage);
    append(whole.warnings, part.warnings);
    append(whole.lost, part.lost);
    append(whole.missing, part.missing);
    if (!whole.step)
        whole.step = part.step;
}

}  // namespace firstbad::core
