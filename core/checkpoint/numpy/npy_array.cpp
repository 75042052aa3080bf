// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/checkpoint/numpy/npy_array.h"

#include "core/base/text.h"
#include "core/checkpoint/geometry.h"
#include "core/checkpoint/inflater.h"
#include "core/checkpoint/kinds.h"
#include "core/checkpoint/numpy/npy_header.h"
#include "core/checkpoint/torch/torch_values.h"

#include <algorithm>
#include <fmt/format.h>
#include <limits>

namespace firstbad::core {

namespace {

constexpr std::uint64_t kMaxGathered = std::uint64_t{256} << 20U;

class NpyArray
{
public:
    NpyArray(const NpyPlace& place, Checkpoint& part, JobContext& job)
        : m_place(place)
        , m_part(part)
        , m_job(job)
    { }

    Result<void> read()
    {
        const auto head = decoded(12);
        if (!head)
            return tl::unexpected(head.error());
        const std::uint64_t dataOffset = npyDataOffset(*head);
        if (dataOffset == 0)
            return damaged("bad-header", "does not begin like an array of NumPy");
        if (dataOffset > kMaxNpyHeaderBytes)
            return damaged("header-too-large",
                fmt::format(
                    "has a header of {} bytes; the limit is {}", dataOffset, kMaxNpyHeaderBytes));
        const auto text = decoded(dataOffset);
        if (!text)
            return tl::unexpected(text.error());
        if (text->size() < dataOffset)
            return damaged("truncated",
                fmt::format("ends inside its header: {} of {} bytes are present", text->size(),
                    dataOffset));
        auto header = parseNpyHeader(*text);
        if (!header && header.error().code == ErrorCode::Unsupported) {
            m_part.supported = false;
            m_part.reason = fmt::format("{}: {}", m_place.member, header.error().message);
            return {};
        }
        if (!header)
            return damaged("bad-header", "cannot be read: " + header.error().message);
        m_header = std::move(*header);
        return addArray();
    }

private:
    Result<void> damaged(std::string error, std::string text)
    {
        m_part.damage.push_back(
            {std::move(error), m_place.member, fmt::format("{} {}", m_place.member, text)});
        return {};
    }

    /// The first `length` decoded bytes, or as many as there are.
    Result<std::string> decoded(std::uint64_t length) const
    {
        if (m_place.coding == StorageCoding::Raw)
            return m_place.bytes.read(0, length);
        Inflater inflater(m_place.bytes, DeflateWrapper::None);
        std::string bytes;
        constexpr std::uint64_t kStep = std::uint64_t{1} << 20U;
        while (bytes.size() < length) {
            const std::size_t before = bytes.size();
            bytes.resize(before + static_cast<std::size_t>(std::min(kStep, length - before)));
            const auto got = inflater.read(std::span(bytes).subspan(before));
            bytes.resize(before + got.value_or(0));
            if (!got || *got == 0)
                break;  // what is missing is found by the size
        }
        return bytes;
    }

    Result<void> addArray()
    {
        const auto count = elementCount(m_header.shape);
        if (!count)
            return damaged(std::any_of(m_header.shape.begin(), m_header.shape.end(),
                               [](std::int64_t size) { return size < 0; })
                    ? "negative-size"
                    : "size-overflow",
                "has a shape that no array can have");
        if (m_header.shape.size() > kMaxDimensions)
            return damaged(
                "size-overflow", fmt::format("has {} dimensions", m_header.shape.size()));
        if (!m_header.isRecord() && m_header.fields[0].type.isObject)
            return addObjects();
        constexpr auto kMost = std::numeric_limits<std::int64_t>::max();
        if (m_header.recordBytes != 0
            && *count
                > static_cast<std::uint64_t>(kMost) / m_header.recordBytes - 2 * kMaxNpyHeaderBytes)
            return damaged("size-overflow", "has more bytes than any file");
        checkSize(m_header.dataOffset + *count * m_header.recordBytes);
        return m_header.isRecord() ? addRecords(*count) : addPlain();
    }

    void checkSize(std::uint64_t expected)
    {
        m_expectedBytes = expected;
        if (m_place.decodedBytes < expected)
            m_part.damage.push_back({"truncated", m_place.member,
                fmt::format("{} is cut off: {} of {} bytes are present", m_place.member,
                    m_place.decodedBytes, expected)});
        else if (m_place.decodedBytes > expected)
            m_part.damage.push_back({"trailing-bytes", m_place.member,
                fmt::format("{} bytes follow the array in {}", m_place.decodedBytes - expected,
                    m_place.member)});
    }

    CheckpointTensor makeTensor(
        const std::string& field, const NumpyType& type, std::vector<std::int64_t> shape) const
    {
        CheckpointTensor tensor;
        tensor.path.push_back({PathPart::Kind::Text, m_place.name});
        if (!field.empty())
            tensor.path.push_back({PathPart::Kind::Text, toValidUtf8(field)});
        tensor.name = joinPath(tensor.path);
        tensor.type = type.type;
        tensor.shape = std::move(shape);
        tensor.kind = kindOfPath(tensor.path, tensor.shape);
        return tensor;
    }

    void addTensor(CheckpointTensor tensor)
    {
        if (m_place.decodedBytes < m_expectedBytes) {
            m_part.lost.push_back(tensor.name);
            m_part.missing.push_back(tensor.name);
        }
        m_part.tensors.push_back(std::move(tensor));
    }

    Result<void> addPlain()
    {
        const NumpyType& type = m_header.fields[0].type;
        CheckpointTensor tensor = makeTensor("", type, m_header.shape);
        if (type.type == ElementType::Unknown) {
            CheckpointWarning warning;
            warning.code = "not-scanned";
            warning.tensor = tensor.name;
            warning.text = fmt::format("{} holds no numbers that can be scanned", m_place.member);
            m_part.warnings.push_back(std::move(warning));
        } else {
            tensor.pieces.push_back({static_cast<std::uint32_t>(m_part.storages.size()), 0,
                std::vector<std::int64_t>(m_header.shape.size(), 0), m_header.shape,
                denseStrides(m_header.shape, m_header.fortran)});
            auto storage = makeStorage(type, tensor.pieces[0]);
            if (!storage)
                return tl::unexpected(std::move(storage.error()));
            m_part.storages.push_back(std::move(*storage));
        }
        addTensor(std::move(tensor));
        return {};
    }

    /// A member of an archive is kept whole, header included, so that its checksum can be checked.
    Result<Storage> makeStorage(const NumpyType& type, TensorPiece& piece)
    {
        Storage storage;
        storage.member = m_place.member;
        storage.type = type.type;
        storage.coding = m_place.coding;
        storage.bigEndian = type.bigEndian;
        storage.offset = m_place.bytes.origin();
        storage.storedBytes = m_place.bytes.size();
        storage.bytes = m_place.decodedBytes;
        storage.declaredBytes = m_expectedBytes;
        storage.crc32 = m_place.crc32;
        const bool isAligned = m_header.dataOffset % type.itemBytes == 0;
        if (isAligned && (m_place.crc32 || m_place.coding == StorageCoding::Deflate)) {
            storage.type = ElementType::UInt8;  // the header is no numbers
            piece.storageOffset = static_cast<std::int64_t>(m_header.dataOffset / type.itemBytes);
            return storage;
        }
        storage.crc32.reset();
        if (m_place.coding == StorageCoding::Deflate) {
            auto data = gatheredBytes();
            if (!data)
                return tl::unexpected(std::move(data.error()));
            return inlineStorage(type,
                data->substr(std::min<std::size_t>(
                    data->size(), static_cast<std::size_t>(m_header.dataOffset))));
        }
        const std::uint64_t skipped = std::min(m_header.dataOffset, storage.bytes);
        storage.offset += skipped;
        storage.storedBytes -= skipped;
        storage.bytes -= skipped;
        storage.declaredBytes -= m_header.dataOffset;
        return storage;
    }

    Result<std::string> gatheredBytes() const
    {
        if (m_place.decodedBytes > kMaxGathered)
            return fail(ErrorCode::Unsupported,
                fmt::format(
                    "{} is {} large; an array that has to be taken apart in memory may have "
                    "{}",
                    m_place.member, humanBytes(m_place.decodedBytes), humanBytes(kMaxGathered)));
        return decoded(m_place.decodedBytes);
    }

    Storage inlineStorage(const NumpyType& type, std::string_view bytes) const
    {
        Storage storage;
        storage.member = m_place.member;
        storage.type = type.type;
        storage.coding = StorageCoding::Inline;
        storage.bigEndian = type.bigEndian;
        storage.bytes = storage.storedBytes = storage.declaredBytes = bytes.size();
        storage.inlineBytes.assign(bytes.begin(), bytes.end());
        return storage;
    }

    /// Fields of records lie at any distance: each is gathered into a storage of its own.
    Result<void> addRecords(std::uint64_t count)
    {
        const auto bytes = gatheredBytes();
        if (!bytes)
            return tl::unexpected(bytes.error());
        for (const NpyField& field : m_header.fields) {
            if (m_job.cancelled())
                return JobContext::cancelledError();
            std::vector<std::int64_t> shape = m_header.shape;
            shape.insert(shape.end(), field.shape.begin(), field.shape.end());
            CheckpointTensor tensor = makeTensor(field.name, field.type, shape);
            if (field.type.type != ElementType::Unknown && elementCount(shape))
                addGathered(field, *bytes, count, tensor);
            addTensor(std::move(tensor));
        }
        return {};
    }

    void addGathered(const NpyField& field, const std::string& bytes, std::uint64_t count,
        CheckpointTensor& tensor)
    {
        const std::size_t length = static_cast<std::size_t>(
            elementCount(field.shape).value_or(0) * field.type.itemBytes);
        std::string gathered;
        for (std::uint64_t i = 0; i < count; ++i) {
            const std::uint64_t at = m_header.dataOffset + i * m_header.recordBytes + field.offset;
            if (at + length > bytes.size())
                break;
            gathered.append(bytes, static_cast<std::size_t>(at), length);
        }
        std::vector<std::int64_t> strides
            = denseStrides(std::span(tensor.shape).first(m_header.shape.size()), m_header.fortran);
        const auto inner = denseStrides(field.shape);
        const auto perRecord = static_cast<std::int64_t>(length / field.type.itemBytes);
        for (std::int64_t& stride : strides)
            stride *= perRecord;
        strides.insert(strides.end(), inner.begin(), inner.end());
        Storage storage = inlineStorage(field.type, gathered);
        storage.declaredBytes = count * length;
        tensor.pieces.push_back({static_cast<std::uint32_t>(m_part.storages.size()), 0,
            std::vector<std::int64_t>(tensor.shape.size(), 0), tensor.shape, std::move(strides)});
        m_part.storages.push_back(std::move(storage));
    }

    /// The data of an array of objects is a pickle.
    Result<void> addObjects()
    {
        auto bytes = gatheredBytes();
        if (!bytes)
            return tl::unexpected(std::move(bytes.error()));
        const auto skipped
            = static_cast<std::size_t>(std::min<std::uint64_t>(bytes->size(), m_header.dataOffset));
        return collectPickledValues(bytes->substr(skipped), {{PathPart::Kind::Text, m_place.name}},
            m_place.member, m_part, m_job);
    }

    const NpyPlace& m_place;
    Checkpoint& m_part;
    JobContext& m_job;
    NpyHeader m_header;
    std::uint64_t m_expectedBytes = 0;
};

}  // namespace

Result<void> readNpyArray(const NpyPlace& place, Checkpoint& part, JobContext& job)
{
    return NpyArray(place, part, job).read();
}

}  // namespace firstbad::core
