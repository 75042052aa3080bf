// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/checkpoint/dcp/dcp_part.h"

#include "core/base/file.h"
#include "core/base/text.h"
#include "core/checkpoint/dcp/dcp_metadata.h"
#include "core/checkpoint/dcp/dcp_shards.h"
#include "core/checkpoint/dcp/unnamed_items.h"
#include "core/checkpoint/kinds.h"
#include "core/checkpoint/safetensors/safetensors_part.h"
#include "core/checkpoint/torch/torch_file.h"

#include <algorithm>
#include <fmt/format.h>

namespace firstbad::core {

namespace {

constexpr auto kMetadata = ".metadata";
constexpr auto kUnfinished = ".metadata.tmp";
constexpr std::uint64_t kMaxMetadataBytes = std::uint64_t{4} << 30U;

std::string shown(std::string_view name)
{
    return escapedForTerminal(name.substr(0, 200));
}

/// Builds global tensors out of the items that the metadata names.
class DcpAssembler
{
public:
    DcpAssembler(Checkpoint& checkpoint, DcpShards& shards, const DcpMetadata& metadata,
        const std::vector<PathPart>& prefix, JobContext& job)
        : m_checkpoint(checkpoint)
        , m_shards(shards)
        , m_metadata(metadata)
        , m_prefix(prefix)
        , m_job(job)
    {
        for (const DcpItem& item : metadata.items)
            m_itemsOf[item.fqn].push_back(&item);
    }

    Result<void> run()
    {
        for (const DcpTensor& tensor : m_metadata.tensors) {
            if (auto added = addTensor(tensor); !added)
                return added;
        }
        for (const std::string& fqn : m_metadata.values) {
            if (auto added = addValue(fqn); !added)
                return added;
        }
        describeTransforms();
        return {};
    }

private:
    [[nodiscard]] std::vector<PathPart> pathOf(const std::string& fqn) const
    {
        std::vector<PathPart> path = m_prefix;
        const auto known = m_metadata.paths.find(fqn);
        if (known == m_metadata.paths.end())
            path.push_back({PathPart::Kind::Text, fqn});
        else
            path.insert(path.end(), known->second.begin(), known->second.end());
        return path;
    }

    /// The item of a chunk: by name and offset, as nothing else identifies it.
    [[nodiscard]] const DcpItem* itemOf(const DcpTensor& tensor, const ChunkBox& chunk) const
    {
        const auto known = m_itemsOf.find(tensor.fqn);
        if (known == m_itemsOf.end())
            return nullptr;
        for (const DcpItem* item : known->second) {
            if (item->chunkOffsets == chunk.offsets
                || (!item->chunkOffsets && known->second.size() == 1))
                return item;
        }
        return nullptr;
    }

    Result<void> addTensor(const DcpTensor& source)
    {
        if (m_job.cancelled())
            return JobContext::cancelledError();
        CheckpointTensor tensor;
        tensor.path = pathOf(source.fqn);
        tensor.name = joinPath(tensor.path);
        tensor.type = source.type;
        tensor.shape = source.shape;
        tensor.kind = kindOfPath(tensor.path, tensor.shape);
        const Coverage covered = coverage(source.shape, source.chunks);
        if (covered.outside || source.type == ElementType::Unknown) {
            refuse(tensor.name, source, covered);
            return {};
        }
        describeCoverage(tensor.name, covered);
        bool whole = covered.uncovered == 0;
        for (const ChunkBox& chunk : source.chunks) {
            const auto piece = addPiece(source, chunk);
            if (!piece)
                return tl::unexpected(piece.error());
            whole = whole && piece->isWhole;
            tensor.pieces.push_back(piece->piece);
        }
        if (!whole)
            loseTensor(m_checkpoint, tensor.name);
        m_checkpoint.tensors.push_back(std::move(tensor));
        return {};
    }

    void refuse(const std::string& name, const DcpTensor& source, const Coverage& covered)
    {
        loseTensor(m_checkpoint, name);
        if (covered.outside)
            damage("out-of-bounds-view", source.fqn,
                fmt::format("a chunk of {} lies outside its shape {}", shown(source.fqn),
                    shapeText(source.shape)));
        else
            damage("unknown-dtype", source.fqn,
                fmt::format("{}: dtype {} is unknown, it is not scanned", shown(source.fqn),
                    shown(source.typeName)));
    }

    void describeCoverage(const std::string& name, const Coverage& covered)
    {
        if (covered.overlapping > 0)
            damage("overlap", name,
                fmt::format(
                    "chunks of {} overlap in {} elements", shown(name), covered.overlapping));
        if (covered.uncovered > 0)
            damage("gap", name,
                fmt::format("{} elements of {} are in no chunk", covered.uncovered, shown(name)));
    }

    struct Piece {
        TensorPiece piece;
        bool isWhole = false;
    };

    Result<Piece> addPiece(const DcpTensor& tensor, const ChunkBox& chunk)
    {
        Storage storage;
        storage.member = tensor.fqn;
        storage.type = tensor.type;
        storage.coding = StorageCoding::Missing;
        const auto count = elementCount(chunk.sizes);
        storage.declaredBytes = bytesOf(tensor.type, count.value_or(0)).value_or(0);
        TensorPiece piece = wholePiece(0, chunk.sizes);
        const DcpItem* item = itemOf(tensor, chunk);
        if (item == nullptr) {
            damage("missing-record", tensor.fqn,
                fmt::format("no item holds the chunk of {} at {}", shown(tensor.fqn),
                    shapeText(chunk.offsets)));
        } else if (auto read = readItem(*item, tensor, chunk, storage, piece); !read) {
            return tl::unexpected(std::move(read.error()));
        }
        piece.offsets = chunk.offsets;
        piece.storage = static_cast<std::uint32_t>(m_checkpoint.storages.size());
        const bool isWhole
            = storage.coding != StorageCoding::Missing && storage.bytes >= storage.declaredBytes;
        m_checkpoint.storages.push_back(std::move(storage));
        const bool isTransformed = item != nullptr && !item->transforms.empty();
        return Piece{std::move(piece), isWhole || isTransformed || count == 0};
    }

    /// Fills `storage` and `piece` from the item; leaves them as they are when it cannot be read.
    Result<void> readItem(const DcpItem& item, const DcpTensor& tensor, const ChunkBox& chunk,
        Storage& storage, TensorPiece& piece)
    {
        DcpShard& shard = m_shards.open(item.file);
        if (!item.transforms.empty()) {
            m_transforms = item.transforms;
            return {};
        }
        if (shard.safetensors) {
            fromSafetensors(shard, tensor, chunk, storage);
            return {};
        }
        const auto bytes = m_shards.locate(shard, item);
        if (!bytes)
            return {};
        const bool isCut = bytes->size() < static_cast<std::uint64_t>(item.length);
        auto file = readTorchZip(*bytes, optionsFor(item, shard), m_job);
        if (!file)
            return tl::unexpected(std::move(file.error()));
        m_plainItems = true;
        if (!isCut)
            takeDamage(file->part);
        if (file->part.tensors.size() != 1 || file->part.tensors[0].pieces.size() != 1) {
            if (!isCut && file->part.damage.empty())
                damage("size-mismatch", tensor.fqn,
                    fmt::format("the item of {} holds {} tensors instead of one", shown(tensor.fqn),
                        file->part.tensors.size()));
            return {};
        }
        const CheckpointTensor& found = file->part.tensors[0];
        if (found.type != tensor.type || found.shape != chunk.sizes) {
            damage("size-mismatch", tensor.fqn,
                fmt::format("the item of {} holds {} {}, the metadata says {} {}",
                    shown(tensor.fqn), elementTypeInfo(found.type).name, shapeText(found.shape),
                    tensor.typeName, shapeText(chunk.sizes)));
            return {};
        }
        piece = found.pieces[0];
        storage = std::move(file->part.storages[piece.storage]);
        storage.member = tensor.fqn;
        return {};
    }

    void fromSafetensors(
        DcpShard& shard, const DcpTensor& tensor, const ChunkBox& chunk, Storage& storage)
    {
        const auto& entries = shard.safetensors->entries;
        const auto entry = std::find_if(entries.begin(), entries.end(),
            [&tensor](const SafetensorsEntry& e) { return e.name == tensor.fqn; });
        if (entry == entries.end()) {
            damage("missing-record", tensor.fqn,
                fmt::format("{} is not in {}, where the metadata places it", shown(tensor.fqn),
                    shard.file.name));
            return;
        }
        if (!entry->usable)
            return;
        if (entry->type != tensor.type || entry->shape != chunk.sizes) {
            damage("size-mismatch", tensor.fqn,
                fmt::format("{} is {} {} in {}, the metadata says {} {}", shown(tensor.fqn),
                    entry->typeName, shapeText(entry->shape), shard.file.name, tensor.typeName,
                    shapeText(chunk.sizes)));
            return;
        }
        m_plainItems = true;
        storage = storageOf(*shard.safetensors, *entry, shard.number);
    }

    /// A Python value that is no tensor: an archive of its own.
    Result<void> addValue(const std::string& fqn)
    {
        if (m_job.cancelled())
            return JobContext::cancelledError();
        const auto known = m_itemsOf.find(fqn);
        if (known == m_itemsOf.end()) {
            damage("missing-record", fqn, fmt::format("no item holds the value {}", shown(fqn)));
            loseTensor(m_checkpoint, joinPath(pathOf(fqn)));
            return {};
        }
        const DcpItem& item = *known->second.front();
        DcpShard& shard = m_shards.open(item.file);
        if (!item.transforms.empty()) {
            m_transforms = item.transforms;
            return {};
        }
        const auto bytes = m_shards.locate(shard, item);
        const bool isCut = bytes && bytes->size() < static_cast<std::uint64_t>(item.length);
        if (!bytes || isCut) {
            loseTensor(m_checkpoint, joinPath(pathOf(fqn)));
            return {};
        }
        if (const auto head = bytes->read(0, 2); !head || *head != "PK")
            return {};  // raw bytes that a program saved by itself: nothing to say of them
        auto file = readTorchZip(*bytes, optionsFor(item, shard), m_job);
        if (!file)
            return tl::unexpected(std::move(file.error()));
        m_plainItems = true;
        // Generator states and the like are values, not tensors of the checkpoint, unless they
        // could hold something that is not finite.
        std::erase_if(file->part.tensors, [](const CheckpointTensor& tensor) {
            return !elementTypeInfo(tensor.type).canBeNonFinite;
        });
        appendPart(m_checkpoint, std::move(file->part));
        return {};
    }

    [[nodiscard]] TorchFileOptions optionsFor(const DcpItem& item, const DcpShard& shard) const
    {
        TorchFileOptions options;
        options.file = shard.number;
        options.prefix = pathOf(item.fqn);
        options.shownPath = shard.file.shownPath;
        options.memberPrefix = fmt::format("{} in {}: ", item.fqn, shard.file.name);
        return options;
    }

    void takeDamage(Checkpoint& part)
    {
        for (CheckpointDamage& found : part.damage)
            m_checkpoint.damage.push_back(std::move(found));
    }

    void describeTransforms()
    {
        if (m_transforms.empty())
            return;
        m_checkpoint.reason = fmt::format("its items went through the stream transform {}, which "
                                          "firstbad cannot undo",
            shown(m_transforms));
        m_checkpoint.supported = m_plainItems;
    }

    void damage(std::string error, std::string member, std::string text)
    {
        m_checkpoint.damage.push_back(
            {std::move(error), std::move(member), std::move(text), false});
    }

    Checkpoint& m_checkpoint;
    DcpShards& m_shards;
    const DcpMetadata& m_metadata;
    const std::vector<PathPart>& m_prefix;
    JobContext& m_job;
    std::unordered_map<std::string_view, std::vector<const DcpItem*>> m_itemsOf;
    std::string m_transforms;  // of the last item that had any
    bool m_plainItems = false;
};

/// The step that the checkpoint itself states, in a value of its own.
void takeStep(Checkpoint& checkpoint, std::size_t firstScalar)
{
    for (std::size_t i = firstScalar; i < checkpoint.scalars.size() && !checkpoint.step; ++i) {
        const CheckpointScalar& scalar = checkpoint.scalars[i];
        const std::string& last = scalar.path.empty() ? scalar.name : scalar.path.back().text;
        const bool isTop = scalar.path.size() <= 2;
        const bool isStep = last == "step" || last == "global_step" || last == "iteration";
        constexpr double kExactIntegers = 9007199254740992.0;
        if (isTop && isStep && scalar.value >= 0.0 && scalar.value <= kExactIntegers)
            checkpoint.step = static_cast<std::int64_t>(scalar.value);
    }
}

Result<DcpMetadata> readMetadata(const FolderFile& file, JobContext& job)
{
    auto pickle = readWholeFile(file.path, kMaxMetadataBytes);
    if (!pickle) {
        DcpMetadata unread;
        unread.damage.push_back({"truncated", file.name, pickle.error().message, false});
        return unread;
    }
    return parseDcpMetadata(std::move(*pickle), file.name, job);
}

}  // namespace

bool isDcpFolder(const std::vector<std::string>& entries)
{
    return std::any_of(entries.begin(), entries.end(), [](const std::string& name) {
        return name == kMetadata || name == kUnfinished || name.ends_with(".distcp");
    });
}

Result<bool> addDcp(Checkpoint& checkpoint, const CheckpointFolder& folder,
    const std::vector<PathPart>& prefix, JobContext& job)
{
    FolderFile file = folder.find(kMetadata);
    const bool finished = file.fault == FolderFault::None;
    if (file.fault == FolderFault::Escapes)
        checkpoint.damage.push_back(describeFault(file, 0));
    if (!finished)
        file = folder.find(kUnfinished);
    DcpMetadata metadata;
    if (file.fault == FolderFault::None) {
        auto read = readMetadata(file, job);
        if (!read)
            return tl::unexpected(std::move(read.error()));
        metadata = std::move(*read);
        addFile(checkpoint, file);
    }
    const bool hasNames = !metadata.items.empty() && (finished || metadata.damage.empty());
    if (!finished)
        checkpoint.damage.push_back({"incomplete", kMetadata,
            fmt::format("no .metadata: the save never finished{}",
                hasNames ? "; the names are those of the left-over .metadata.tmp"
                         : "; items can be scanned but have no names"),
            false});
    else
        checkpoint.damage.insert(
            checkpoint.damage.end(), metadata.damage.begin(), metadata.damage.end());
    const std::size_t firstScalar = checkpoint.scalars.size();
    DcpShards shards(checkpoint, folder);
    auto done = hasNames || metadata.items.size() + metadata.tensors.size() > 0
        ? DcpAssembler(checkpoint, shards, metadata, prefix, job).run()
        : addUnnamedItems(checkpoint, shards, folder.list(), prefix, job);
    if (!done)
        return tl::unexpected(std::move(done.error()));
    shards.describeFaults();
    takeStep(checkpoint, firstScalar);
    return shards.sawSafetensors();
}

}  // namespace firstbad::core
