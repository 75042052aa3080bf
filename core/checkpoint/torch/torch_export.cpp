// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/checkpoint/torch/torch_export.h"

#include "core/base/json_reader.h"
#include "core/base/text.h"
#include "core/checkpoint/geometry.h"
#include "core/checkpoint/kinds.h"
#include "core/checkpoint/torch/torch_types.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <unordered_map>

namespace firstbad::core {

namespace {

using enum ElementType;

constexpr std::string_view kConfigEnd = "_config.json";
constexpr std::uint64_t kMaxConfigBytes = std::uint64_t{64} << 20U;
constexpr std::int64_t kUnset = -1;

struct NumberedType {
    std::int64_t number;
    ElementType type;
};

// The schema of torch.export has a numbering of its own.
constexpr std::array kTypes{NumberedType{1, UInt8}, NumberedType{2, Int8}, NumberedType{3, Int16},
    NumberedType{4, Int32}, NumberedType{5, Int64}, NumberedType{6, Float16},
    NumberedType{7, Float32}, NumberedType{8, Float64}, NumberedType{9, Complex32},
    NumberedType{10, Complex64}, NumberedType{11, Complex128}, NumberedType{12, Bool},
    NumberedType{13, BFloat16}, NumberedType{28, UInt16}, NumberedType{29, Float8E4M3FN},
    NumberedType{30, Float8E5M2}, NumberedType{31, Float8E4M3FNUZ},
    NumberedType{32, Float8E5M2FNUZ}, NumberedType{33, Float8E8M0FNU}, NumberedType{34, UInt32},
    NumberedType{35, UInt64}};

ElementType typeOf(const JsonValue* value)
{
    const auto number = value != nullptr ? value->asInteger() : std::nullopt;
    for (const NumberedType& known : kTypes) {
        if (number == known.number)
            return known.type;
    }
    return Unknown;
}

/// {"as_int": 5}; anything else (a symbolic size) is no number.
std::int64_t integerOf(const JsonValue* value)
{
    const JsonValue* number = value != nullptr ? value->find("as_int") : nullptr;
    return number != nullptr ? number->asInteger().value_or(kUnset) : kUnset;
}

std::vector<std::int64_t> integersOf(const JsonValue* list)
{
    std::vector<std::int64_t> values;
    if (list != nullptr) {
        for (const JsonValue& item : list->items)
            values.push_back(integerOf(&item));
    }
    return values;
}

class ExportReader
{
public:
    ExportReader(const ByteSource& source, const ZipArchive& archive,
        const TorchFileOptions& options, Checkpoint& part)
        : m_source(source)
        , m_archive(archive)
        , m_options(options)
        , m_part(part)
    { }

    void read(const ZipEntry& config)
    {
        const std::string_view record = config.record();
        const std::string folder(record.substr(0, record.rfind('/') + 1));
        const auto text = readZipRecord(m_source, config, kMaxConfigBytes);
        const auto json
            = text ? parseJson(text->bytes) : Result<JsonValue>(tl::unexpected(text.error()));
        if (!json) {
            addDamage("bad-index", record, json.error().message);
            return;
        }
        const JsonValue* entries = json->find("config");
        if (entries == nullptr)
            return;
        for (const auto& [name, description] : entries->members)
            addTensor(folder, name, description);
    }

private:
    void addDamage(std::string error, std::string_view member, std::string text)
    {
        m_part.damage.push_back(
            {std::move(error), m_options.memberPrefix + toValidUtf8(member), std::move(text)});
    }

    void addTensor(const std::string& folder, const std::string& name, const JsonValue& description)
    {
        const JsonValue* meta = description.find("tensor_meta");
        const JsonValue* file = description.find("path_name");
        if (meta == nullptr || file == nullptr)
            return;
        CheckpointTensor tensor;
        tensor.path = m_options.prefix;
        tensor.path.push_back({PathPart::Kind::Text, toValidUtf8(name)});
        tensor.name = joinPath(tensor.path);
        tensor.type = typeOf(meta->find("dtype"));
        tensor.shape = integersOf(meta->find("sizes"));
        const JsonValue* isParam = description.find("is_param");
        tensor.kind = isParam != nullptr && !isParam->flag ? TensorKind::Buffer
                                                           : kindOfPath(tensor.path, tensor.shape);
        const ZipEntry* entry = m_archive.find(folder + std::string(file->asText()));
        if (const auto problem
            = place(entry, *meta, folder + std::string(file->asText()), tensor)) {
            addDamage(problem->error, tensor.name,
                fmt::format("the tensor {} {}", tensor.name, problem->text));
            m_part.lost.push_back(tensor.name);
            return;
        }
        m_part.tensors.push_back(std::move(tensor));
    }

    std::optional<ViewProblem> place(const ZipEntry* entry, const JsonValue& meta,
        const std::string& record, CheckpointTensor& tensor)
    {
        if (entry == nullptr || !entry->refusal.empty())
            return ViewProblem{"missing-record", fmt::format("has no record {}", record)};
        if (tensor.type == Unknown)
            return ViewProblem{"unknown-dtype", "has a type that is not known"};
        const auto strides = integersOf(meta.find("strides"));
        const std::int64_t offset
            = std::max<std::int64_t>(0, integerOf(meta.find("storage_offset")));
        if (auto problem = checkView(
                offset, tensor.shape, strides, entry->bytes / torchElementBytes(tensor.type)))
            return problem;
        tensor.pieces.push_back({storageOf(*entry, tensor.type), offset,
            std::vector<std::int64_t>(tensor.shape.size(), 0), tensor.shape, strides});
        return std::nullopt;
    }

    std::uint32_t storageOf(const ZipEntry& entry, ElementType type)
    {
        const auto [found, isNew] = m_storages.emplace(
            entry.record(), static_cast<std::uint32_t>(m_part.storages.size()));
        if (!isNew)
            return found->second;
        Storage storage;
        storage.member = m_options.memberPrefix + std::string(entry.record());
        storage.file = m_options.file;
        storage.type = type;
        storage.coding = entry.method == 0 ? StorageCoding::Raw : StorageCoding::Deflate;
        storage.offset = m_source.origin() + entry.dataOffset;
        storage.storedBytes = entry.available;
        storage.bytes = storage.declaredBytes = entry.bytes;
        if (entry.crc != 0)
            storage.crc32 = entry.crc;
        m_part.storages.push_back(std::move(storage));
        return found->second;
    }

    const ByteSource& m_source;
    const ZipArchive& m_archive;
    const TorchFileOptions& m_options;
    Checkpoint& m_part;
    std::unordered_map<std::string_view, std::uint32_t> m_storages;
};

bool isConfig(std::string_view record)
{
    return (record.starts_with("data/weights/") || record.starts_with("data/constants/"))
        && record.ends_with(kConfigEnd);
}

}  // namespace

bool isTorchExport(const ZipArchive& archive)
{
    return archive.find("archive_format") != nullptr
        || std::any_of(archive.entries.begin(), archive.entries.end(),
            [](const ZipEntry& entry) { return isConfig(entry.record()); });
}

void readTorchExport(const ByteSource& source, const ZipArchive& archive,
    const TorchFileOptions& options, Checkpoint& part)
{
    part.format = "torch-export";
    ExportReader reader(source, archive, options, part);
    bool found = false;
    for (const ZipEntry& entry : archive.entries) {
        if (!isConfig(entry.record()) || !entry.refusal.empty())
            continue;
        found = true;
        reader.read(entry);
    }
    if (!found) {
        part.supported = false;
        part.reason = "a torch.export package whose weights are in no form that firstbad reads";
    }
}

}  // namespace firstbad::core
