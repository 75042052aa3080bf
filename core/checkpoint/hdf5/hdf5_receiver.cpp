// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/checkpoint/hdf5/hdf5_receiver.h"

#include "core/base/text.h"
#include "core/checkpoint/folder/checkpoint_folder.h"
#include "core/checkpoint/folder/shape.h"
#include "core/checkpoint/kinds.h"

#include <algorithm>
#include <fmt/format.h>

namespace firstbad::core {
namespace {

constexpr std::size_t kMaxTexts = 4096;
constexpr std::uint64_t kLargeFill = std::uint64_t{1} << 30U;

std::vector<PathPart> pathOf(std::string_view path)
{
    std::vector<PathPart> parts;
    while (!path.empty()) {
        const std::size_t slash = path.find('/');
        if (slash != 0)
            parts.push_back({PathPart::Kind::Text, toValidUtf8(path.substr(0, slash))});
        path.remove_prefix(slash == std::string_view::npos ? path.size() : slash + 1);
    }
    return parts;
}

std::string nameOf(std::string_view path)
{
    return joinPath(pathOf(path));
}

}  // namespace

bool Hdf5Receiver::take(const ForkedReader::Message& message)
{
    switch (static_cast<Hdf5Part>(message.kind)) {
    case Hdf5Part::Dataset:
        return takeDataset(message.bytes);
    case Hdf5Part::Chunks:
        return takeChunks(message.bytes);
    case Hdf5Part::Text:
    case Hdf5Part::Alias:
    case Hdf5Part::Lost:
        return takePair(static_cast<Hdf5Part>(message.kind), message.bytes);
    case Hdf5Part::Scalar: {
        PartReader in(message.bytes);
        const std::string name = in.text();
        takeScalar(toValidUtf8(name), in.number<double>());
        return in.ok();
    }
    case Hdf5Part::Note:
        m_checkpoint.texts.push_back({"note", toValidUtf8(message.bytes)});
        return true;
    case Hdf5Part::Broken:
        m_broken = toValidUtf8(message.bytes);
        return true;
    default:
        return false;
    }
}

void Hdf5Receiver::takeScalar(const std::string& name, double value)
{
    if (m_checkpoint.scalars.size() >= kMaxCheckpointScalars)
        return;
    m_checkpoint.scalars.push_back({{{PathPart::Kind::Text, name}}, name, value});
    constexpr double kExactIntegers = 9007199254740992.0;
    const bool isStep = name == "step" || name == "global_step" || name == "iteration";
    if (isStep && value >= 0.0 && value <= kExactIntegers)
        m_checkpoint.step = static_cast<std::int64_t>(value);
}

bool Hdf5Receiver::takePair(Hdf5Part part, std::string_view bytes)
{
    PartReader in(bytes);
    const std::string first = in.text();
    const std::string second = in.text();
    if (!in.ok())
        return false;
    if (part == Hdf5Part::Lost) {
        lose(first, second);
    } else if (part == Hdf5Part::Text) {
        if (m_checkpoint.texts.size() < kMaxTexts)
            m_checkpoint.texts.push_back({toValidUtf8(first), toValidUtf8(second)});
    } else if (const auto at = m_places.find(first); at != m_places.end()) {
        m_checkpoint.tensors[at->second].aliases.push_back(nameOf(second));
    }
    return true;
}

void Hdf5Receiver::lose(const std::string& path, std::string_view why)
{
    m_checkpoint.damage.push_back({"missing-record", nameOf(path),
        fmt::format("{} is not read: {}", escapedForTerminal(path), toValidUtf8(why)), false});
    loseTensor(m_checkpoint, nameOf(path));
}

void Hdf5Receiver::addStorage(Storage storage)
{
    storage.member = m_dataset.path;
    storage.file = m_file;
    storage.type = m_dataset.type;
    storage.bigEndian = m_dataset.bigEndian;
    m_checkpoint.storages.push_back(std::move(storage));
}

bool Hdf5Receiver::takeDataset(std::string_view bytes)
{
    auto dataset = decodeDataset(bytes);
    if (!dataset)
        return false;
    m_dataset = std::move(*dataset);
    const auto count = elementCount(m_dataset.shape);
    const auto declared = count ? bytesOf(m_dataset.type, *count) : std::nullopt;
    if (!declared) {
        lose(m_dataset.path, "its shape has more elements than 64 bits can count");
        m_dataset.place = Hdf5Place::Library;
        return true;
    }
    constexpr std::uint64_t kMostFill = 1000;
    if (m_dataset.place == Hdf5Place::Library && *declared > kLargeFill
        && m_dataset.bytes < *declared / kMostFill) {
        lose(m_dataset.path,
            fmt::format("it declares {} bytes and stores only {}", *declared, m_dataset.bytes));
        return true;
    }
    m_places.emplace(m_dataset.path, m_checkpoint.tensors.size());
    CheckpointTensor& tensor = m_checkpoint.tensors.emplace_back();
    tensor.path = pathOf(m_dataset.path);
    tensor.name = joinPath(tensor.path);
    tensor.type = m_dataset.type;
    tensor.shape = m_dataset.shape;
    tensor.kind = kindOfPath(tensor.path, tensor.shape);
    if (m_dataset.place == Hdf5Place::Chunked)
        return true;
    tensor.pieces.push_back(
        wholePiece(static_cast<std::uint32_t>(m_checkpoint.storages.size()), m_dataset.shape));
    Storage storage;
    storage.declaredBytes = *declared;
    storage.bytes = *declared;
    switch (m_dataset.place) {
    case Hdf5Place::Contiguous: {
        const std::uint64_t there = m_window.length - std::min(m_window.length, m_dataset.address);
        storage.offset = m_window.offset + m_dataset.address;
        storage.bytes = std::min({*declared, m_dataset.bytes, there});
        storage.storedBytes = storage.bytes;
        break;
    }
    case Hdf5Place::Inline:
        storage.coding = StorageCoding::Inline;
        storage.inlineBytes.assign(m_dataset.inlineBytes.begin(), m_dataset.inlineBytes.end());
        storage.bytes = std::min<std::uint64_t>(*declared, storage.inlineBytes.size());
        break;
    default:
        storage.coding = StorageCoding::Hdf5;
        storage.offset = m_window.offset;
        storage.storedBytes = m_window.length;
        break;
    }
    const bool isCut = storage.bytes < storage.declaredBytes;
    addStorage(std::move(storage));
    if (isCut) {
        m_checkpoint.damage.push_back({"truncated", tensor.name,
            fmt::format("the file ends inside {}", escapedForTerminal(m_dataset.path)), false});
        loseTensor(m_checkpoint, tensor.name);
    }
    return true;
}

bool Hdf5Receiver::takeChunks(std::string_view bytes)
{
    const auto chunks = decodeChunks(bytes);
    const auto chunkItems = elementCount(m_dataset.chunkShape);
    const auto chunkBytes = chunkItems ? bytesOf(m_dataset.type, *chunkItems) : std::nullopt;
    if (!chunks || !chunkBytes || m_dataset.place != Hdf5Place::Chunked
        || m_dataset.chunkShape.size() != m_dataset.shape.size() || m_checkpoint.tensors.empty())
        return false;
    CheckpointTensor& tensor = m_checkpoint.tensors.back();
    for (const Hdf5Chunk& chunk : *chunks) {
        TensorPiece piece;
        piece.storage = static_cast<std::uint32_t>(m_checkpoint.storages.size());
        piece.offsets = chunk.offsets;
        piece.strides = denseStrides(m_dataset.chunkShape);
        for (std::size_t d = 0; d < m_dataset.shape.size(); ++d) {
            if (chunk.offsets.size() != m_dataset.shape.size() || chunk.offsets[d] < 0
                || chunk.offsets[d] >= m_dataset.shape[d])
                return false;
            piece.sizes.push_back(
                std::min(m_dataset.chunkShape[d], m_dataset.shape[d] - chunk.offsets[d]));
        }
        Storage storage;
        storage.coding = chunk.deflated ? StorageCoding::Zlib : StorageCoding::Raw;
        storage.offset = m_window.offset + chunk.address;
        const std::uint64_t there = m_window.length - std::min(m_window.length, chunk.address);
        storage.storedBytes = std::min(chunk.storedBytes, there);
        storage.declaredBytes = *chunkBytes;
        storage.bytes = chunk.deflated ? *chunkBytes : std::min(*chunkBytes, storage.storedBytes);
        addStorage(std::move(storage));
        tensor.pieces.push_back(std::move(piece));
    }
    return true;
}

}  // namespace firstbad::core
