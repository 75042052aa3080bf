// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/restore/merge_checkpoints.h"

#include <iterator>
#include <utility>

namespace firstbad::core {
namespace {

template <class T> void appendAll(std::vector<T>& all, std::vector<T>&& more)
{
    all.insert(
        all.end(), std::make_move_iterator(more.begin()), std::make_move_iterator(more.end()));
}

template <class T> void prefixNamed(std::vector<T>& things, const std::string& prefix)
{
    for (T& thing : things) {
        thing.path.insert(thing.path.begin(), {PathPart::Kind::Text, prefix});
        thing.name = prefix + "." + thing.name;
    }
}

void appendPartOf(Checkpoint& whole, Checkpoint part)
{
    const auto files = static_cast<std::uint32_t>(whole.files.size());
    const auto storages = static_cast<std::uint32_t>(whole.storages.size());
    for (Storage& storage : part.storages)
        storage.file += files;
    for (CheckpointTensor& tensor : part.tensors) {
        for (TensorPiece& piece : tensor.pieces)
            piece.storage += storages;
    }
    if (whole.format.find(part.format) == std::string::npos)
        whole.format += whole.format.empty() ? part.format : "+" + part.format;
    whole.supported = whole.supported && part.supported;
    if (whole.reason.empty())
        whole.reason = std::move(part.reason);
    if (!whole.step)
        whole.step = part.step;
    if (whole.parent.empty())
        whole.parent = std::move(part.parent);
    appendAll(whole.files, std::move(part.files));
    appendAll(whole.storages, std::move(part.storages));
    appendAll(whole.tensors, std::move(part.tensors));
    appendAll(whole.scalars, std::move(part.scalars));
    appendAll(whole.texts, std::move(part.texts));
    appendAll(whole.damage, std::move(part.damage));
    appendAll(whole.warnings, std::move(part.warnings));
    appendAll(whole.lost, std::move(part.lost));
    appendAll(whole.missing, std::move(part.missing));
}

}  // namespace

void addPrefix(Checkpoint& checkpoint, const std::string& prefix)
{
    prefixNamed(checkpoint.tensors, prefix);
    prefixNamed(checkpoint.scalars, prefix);
    for (CheckpointTensor& tensor : checkpoint.tensors) {
        for (std::string& alias : tensor.aliases)
            alias = prefix + "." + alias;
    }
    for (auto* names : {&checkpoint.lost, &checkpoint.missing}) {
        for (std::string& name : *names)
            name = prefix + "." + name;
    }
}

Checkpoint mergeCheckpoints(const std::string& path, std::vector<Checkpoint> parts)
{
    Checkpoint whole;
    whole.path = path;
    for (Checkpoint& part : parts)
        appendPartOf(whole, std::move(part));
    return whole;
}

}  // namespace firstbad::core
