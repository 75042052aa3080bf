// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/checkpoint/folder/torch_member.h"

#include "core/checkpoint/torch/torch_file.h"

#include <fmt/format.h>

namespace firstbad::core {

namespace {

/// A file that says nothing at all: empty, or it cannot be opened.
std::optional<CheckpointDamage> obstacle(const FolderFile& file, const Result<ByteSource>& source)
{
    if (!source)
        return CheckpointDamage{"missing-shard", file.name, source.error().message, false};
    if (source->size() == 0)
        return CheckpointDamage{
            "empty-file", file.name, fmt::format("{} is empty (0 bytes)", file.name), false};
    return std::nullopt;
}

}  // namespace

Result<TorchMember> addTorchMember(Checkpoint& checkpoint, const FolderFile& file,
    const std::vector<PathPart>& prefix, bool wantDocument, JobContext& job)
{
    TorchMember member;
    member.firstTensor = member.endTensor = checkpoint.tensors.size();
    member.firstScalar = member.endScalar = checkpoint.scalars.size();
    if (job.cancelled())
        return JobContext::cancelledError();
    if (file.fault != FolderFault::None) {
        checkpoint.damage.push_back(describeFault(file, 0));
        return member;
    }
    const auto source = ByteSource::ofWholeFile(file.path);
    if (auto damage = obstacle(file, source)) {
        checkpoint.damage.push_back(std::move(*damage));
        return member;
    }
    TorchFileOptions options;
    options.file = addFile(checkpoint, file);
    options.prefix = prefix;
    options.shownPath = file.shownPath;
    options.memberPrefix = file.name + ": ";
    options.wantDocument = wantDocument;
    auto read = readTorchFile(*source, options, job);
    if (!read && read.error().code == ErrorCode::Cancelled)
        return tl::unexpected(std::move(read.error()));
    if (!read) {
        checkpoint.damage.push_back({"truncated", file.name, read.error().message, false});
        return member;
    }
    appendPart(checkpoint, std::move(read->part));
    member.readable = true;
    member.document = std::move(read->document);
    member.endTensor = checkpoint.tensors.size();
    member.endScalar = checkpoint.scalars.size();
    return member;
}

PathPart stemPart(std::string_view fileName)
{
    return {PathPart::Kind::Text, std::string(fileName.substr(0, fileName.rfind('.')))};
}

std::optional<double> scalarOf(
    const Checkpoint& checkpoint, const TorchMember& member, std::string_view name)
{
    for (std::size_t i = member.firstScalar; i < member.endScalar; ++i) {
        if (checkpoint.scalars[i].name == name)
            return checkpoint.scalars[i].value;
    }
    return std::nullopt;
}

}  // namespace firstbad::core
