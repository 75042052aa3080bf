// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/checkpoint/megatron/zarr_arrays.h"

#include "core/base/file.h"
#include "core/base/json_reader.h"
#include "core/base/text.h"
#include "core/checkpoint/folder/shape.h"
#include "core/checkpoint/folder/torch_member.h"
#include "core/checkpoint/geometry.h"
#include "core/checkpoint/kinds.h"
#include "core/checkpoint/numpy/numpy_type.h"

#include <algorithm>
#include <fmt/format.h>

namespace firstbad::core {

namespace {

constexpr auto kArrayFile = ".zarray";
constexpr std::uint64_t kMaxDescription = std::uint64_t{1} << 20U;
constexpr std::uint64_t kMaxChunks = 1'000'000;

struct ZarrArray {
    std::vector<std::int64_t> shape;
    std::vector<std::int64_t> chunks;
    ElementType type = ElementType::Unknown;
    bool bigEndian = false;
    bool columnMajor = false;
    bool deflated = false;  ///< by zlib
    bool hasFill = false;  ///< a chunk may be absent: it is all fill_value then
    std::string separator = ".";
    std::string obstacle;  ///< why its data cannot be decoded
};

std::optional<std::vector<std::int64_t>> sizesOf(const JsonValue* list)
{
    if (list == nullptr || list->kind != JsonValue::Kind::Array
        || list->items.size() > kMaxDimensions)
        return std::nullopt;
    std::vector<std::int64_t> sizes;
    for (const JsonValue& item : list->items) {
        const auto size = item.asInteger();
        if (!size || *size < 0)
            return std::nullopt;
        sizes.push_back(*size);
    }
    return sizes;
}

void readType(ZarrArray& array, std::string_view name)
{
    if (name == "bfloat16" || name == "<V2") {  // Megatron wrote its bf16 as raw two bytes
        array.type = ElementType::BFloat16;
        return;
    }
    const auto type = numpyTypeFromDescr(name);
    if (type && !type->isObject) {
        array.type = type->type;
        array.bigEndian = type->bigEndian;
    }
    if (array.type == ElementType::Unknown)
        array.obstacle
            = fmt::format("dtype {} is none that firstbad can scan", escapedForTerminal(name));
}

void readCoding(ZarrArray& array, const JsonValue& json)
{
    const JsonValue* compressor = json.find("compressor");
    if (compressor != nullptr && compressor->kind == JsonValue::Kind::Object) {
        const JsonValue* id = compressor->find("id");
        const std::string name(id == nullptr ? "?" : id->asText());
        array.deflated = name == "zlib";
        if (!array.deflated)
            array.obstacle = fmt::format(
                "it is compressed by {}, which is not read", escapedForTerminal(name));
    }
    const JsonValue* filters = json.find("filters");
    if (filters != nullptr && !filters->items.empty())
        array.obstacle = "its chunks went through filters, which are not read";
}

/// nullopt when the description makes no sense.
std::optional<ZarrArray> parseArray(std::string_view text)
{
    const auto json = parseJson(text);
    if (!json)
        return std::nullopt;
    ZarrArray array;
    const auto shape = sizesOf(json->find("shape"));
    const auto chunks = sizesOf(json->find("chunks"));
    const JsonValue* type = json->find("dtype");
    if (!shape || !chunks || chunks->size() != shape->size() || type == nullptr
        || std::find(chunks->begin(), chunks->end(), 0) != chunks->end())
        return std::nullopt;
    array.shape = *shape;
    array.chunks = *chunks;
    readType(array, type->asText());
    readCoding(array, *json);
    const JsonValue* order = json->find("order");
    array.columnMajor = order != nullptr && order->asText() == "F";
    const JsonValue* fill = json->find("fill_value");
    array.hasFill = fill != nullptr && fill->kind != JsonValue::Kind::Null;
    const JsonValue* separator = json->find("dimension_separator");
    if (separator != nullptr && separator->asText() == "/")
        array.separator = "/";
    return array;
}

class ArrayAdder
{
public:
    ArrayAdder(Checkpoint& checkpoint, const CheckpointFolder& folder, std::string key,
        const ZarrArray& array, JobContext& job)
        : m_checkpoint(checkpoint)
        , m_folder(folder)
        , m_key(std::move(key))
        , m_array(array)
        , m_job(job)
    { }

    Result<void> run()
    {
        const auto items = elementCount(m_array.chunks);
        const auto bytes = items ? bytesOf(m_array.type, *items) : std::nullopt;
        const auto count = chunkCount();
        if (!m_array.obstacle.empty() || !bytes || !count || !elementCount(m_array.shape)) {
            refuse();
            return {};
        }
        m_chunkBytes = *bytes;
        m_tensor.path.push_back({PathPart::Kind::Text, m_key});
        m_tensor.name = m_key;
        m_tensor.type = m_array.type;
        m_tensor.shape = m_array.shape;
        m_tensor.kind = kindOfPath(m_tensor.path, m_tensor.shape);
        std::vector<std::int64_t> index(m_array.shape.size(), 0);
        for (std::uint64_t i = 0; i < *count; ++i) {
            if (m_job.cancelled())
                return JobContext::cancelledError();
            addChunk(index);
            advance(index);
        }
        if (m_isCut)
            loseTensor(m_checkpoint, m_key);
        m_checkpoint.tensors.push_back(std::move(m_tensor));
        return {};
    }

private:
    [[nodiscard]] std::int64_t chunksAlong(std::size_t d) const
    {
        return m_array.shape[d] / m_array.chunks[d] + (m_array.shape[d] % m_array.chunks[d] != 0);
    }

    [[nodiscard]] std::optional<std::uint64_t> chunkCount() const
    {
        std::uint64_t count = 1;
        for (std::size_t d = 0; d < m_array.shape.size(); ++d) {
            if (__builtin_mul_overflow(count, static_cast<std::uint64_t>(chunksAlong(d)), &count)
                || count > kMaxChunks)
                return std::nullopt;
        }
        return count;
    }

    void advance(std::vector<std::int64_t>& index) const
    {
        for (std::size_t d = index.size(); d-- > 0;) {
            if (++index[d] < chunksAlong(d))
                return;
            index[d] = 0;
        }
    }

    void refuse()
    {
        const std::string why = m_array.obstacle.empty() ? "its shape is beyond what can be counted"
                                                         : m_array.obstacle;
        m_checkpoint.damage.push_back({"unknown-dtype", m_key,
            fmt::format("{} is not scanned: {}", escapedForTerminal(m_key), why), false});
        loseTensor(m_checkpoint, m_key);
    }

    void addChunk(const std::vector<std::int64_t>& index)
    {
        const std::string name = index.empty()
            ? std::string("0")
            : fmt::format("{}", fmt::join(index, m_array.separator));
        const std::size_t slash = name.rfind('/');
        const std::string below = slash == std::string::npos
            ? m_key
            : fmt::format("{}/{}", m_key, name.substr(0, slash));
        const FolderFile file
            = m_folder.find(slash == std::string::npos ? name : name.substr(slash + 1), below);
        if (file.fault == FolderFault::Missing && m_array.hasFill)
            return;  // all of it is fill_value, which is no damage
        TensorPiece piece;
        piece.storage = static_cast<std::uint32_t>(m_checkpoint.storages.size());
        piece.strides = denseStrides(m_array.chunks, m_array.columnMajor);
        for (std::size_t d = 0; d < index.size(); ++d) {
            piece.offsets.push_back(index[d] * m_array.chunks[d]);
            piece.sizes.push_back(
                std::min(m_array.chunks[d], m_array.shape[d] - piece.offsets.back()));
        }
        m_tensor.pieces.push_back(std::move(piece));
        m_checkpoint.storages.push_back(storageOf(file));
    }

    /// Edge chunks are padded to full size in their file.
    Storage storageOf(const FolderFile& file)
    {
        Storage storage;
        storage.member = file.name;
        storage.type = m_array.type;
        storage.bigEndian = m_array.bigEndian;
        storage.declaredBytes = m_chunkBytes;
        if (file.fault != FolderFault::None) {
            storage.coding = StorageCoding::Missing;
            m_checkpoint.damage.push_back(describeFault(file, 0));
            m_isCut = true;
            return storage;
        }
        storage.file = addFile(m_checkpoint, file);
        storage.storedBytes = file.bytes;
        storage.coding = m_array.deflated ? StorageCoding::Zlib : StorageCoding::Raw;
        storage.bytes = m_array.deflated ? m_chunkBytes : std::min(m_chunkBytes, file.bytes);
        if (!m_array.deflated && file.bytes != m_chunkBytes)
            describeSize(file);
        return storage;
    }

    void describeSize(const FolderFile& file)
    {
        const bool isCut = file.bytes < m_chunkBytes;
        m_isCut = m_isCut || isCut;
        m_checkpoint.damage.push_back({isCut ? "truncated" : "trailing-bytes", file.name,
            fmt::format("the chunk {} has {} bytes instead of {}", escapedForTerminal(file.name),
                file.bytes, m_chunkBytes),
            false});
    }

    Checkpoint& m_checkpoint;
    const CheckpointFolder& m_folder;
    std::string m_key;
    const ZarrArray& m_array;
    JobContext& m_job;
    CheckpointTensor m_tensor;
    std::uint64_t m_chunkBytes = 0;
    bool m_isCut = false;
};

Result<void> addArray(
    Checkpoint& checkpoint, const CheckpointFolder& folder, const std::string& key, JobContext& job)
{
    const FolderFile file = folder.find(kArrayFile, key);
    if (file.fault != FolderFault::None) {
        checkpoint.damage.push_back(describeFault(file, 1));
        loseTensor(checkpoint, key);
        return {};
    }
    const auto text = readWholeFile(file.path, kMaxDescription);
    const auto array = text ? parseArray(*text) : std::nullopt;
    if (!array) {
        checkpoint.damage.push_back({"bad-header", file.name,
            fmt::format("{} does not describe an array", escapedForTerminal(file.name)), false});
        loseTensor(checkpoint, key);
        return {};
    }
    addFile(checkpoint, file);
    return ArrayAdder(checkpoint, folder, key, *array, job).run();
}

bool contains(const std::vector<std::string>& names, std::string_view name)
{
    return std::binary_search(names.begin(), names.end(), name);
}

}  // namespace

bool hasZarrArrays(const CheckpointFolder& folder, const std::vector<std::string>& entries)
{
    return std::any_of(entries.begin(), entries.end(), [&folder](const std::string& name) {
        return folder.find(kArrayFile, name).fault == FolderFault::None;
    });
}

Result<void> addZarrArrays(Checkpoint& checkpoint, const CheckpointFolder& folder,
    const std::vector<std::string>& entries, JobContext& job)
{
    for (const std::string& key : entries) {
        const auto names = folder.list(key);
        if (contains(names, kArrayFile)) {
            if (auto added = addArray(checkpoint, folder, key, job); !added)
                return added;
            continue;
        }
        for (const std::string& name : names) {
            if (!name.ends_with(".pt"))
                continue;
            const auto member = addTorchMember(checkpoint, folder.find(name, key),
                {{PathPart::Kind::Text, key}, stemPart(name)}, false, job);
            if (!member)
                return tl::unexpected(member.error());
        }
    }
    return {};
}

}  // namespace firstbad::core
