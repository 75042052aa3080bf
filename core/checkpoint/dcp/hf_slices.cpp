// SPDX-License-Identifier: GPL-3.0-or-later
// Slices of tensors in safetensors files of several ranks, placed by __metadata__.
#include "core/base/json_reader.h"
#include "core/base/text.h"
#include "core/checkpoint/dcp/dcp_reader.h"
#include "core/checkpoint/folder/checkpoint_folder.h"
#include "core/checkpoint/folder/shape.h"
#include "core/checkpoint/folder/step_name.h"
#include "core/checkpoint/huggingface/shard_names.h"
#include "core/checkpoint/kinds.h"
#include "core/checkpoint/safetensors/safetensors_part.h"

#include <algorithm>
#include <fmt/format.h>
#include <unordered_map>

namespace firstbad::core {

namespace {

constexpr std::string_view kPrefix = "shard-";
constexpr auto kPlaces = "DCP_SHARDING_INFO";

std::string shown(std::string_view name)
{
    return escapedForTerminal(name.substr(0, 200));
}

/// shard-00002-model-00001-of-00001.safetensors: 2; nullopt for any other name.
std::optional<std::uint32_t> sliceNumber(std::string_view name)
{
    const auto shard = parseShardName(name);
    if (!shard || shard->extension != ".safetensors" || !name.starts_with(kPrefix))
        return std::nullopt;
    std::uint32_t number = 0;
    std::size_t at = kPrefix.size();
    constexpr std::size_t kMaxDigits = 6;
    while (at < name.size() && isAsciiDigit(name[at]) && at < kPrefix.size() + kMaxDigits)
        number = number * 10 + static_cast<std::uint32_t>(name[at++] - '0');
    return number > 0 ? std::optional(number) : std::nullopt;
}

using SliceOffsets = std::unordered_map<std::string, std::vector<std::int64_t>>;

/// {name: {"saved_offsets": [..]}} of one file; nullopt when it cannot be read.
std::optional<SliceOffsets> readOffsets(const SafetensorsHeader& header)
{
    const auto text = std::find_if(header.metadata.begin(), header.metadata.end(),
        [](const auto& entry) { return entry.first == kPlaces; });
    if (text == header.metadata.end())
        return std::nullopt;
    const auto json = parseJson(text->second);
    if (!json)
        return std::nullopt;
    SliceOffsets offsets;
    for (const auto& [name, place] : json->members) {
        const JsonValue* list = place.find("saved_offsets");
        if (list == nullptr)
            continue;
        std::vector<std::int64_t>& values = offsets[name];
        for (const JsonValue& item : list->items)
            values.push_back(item.asInteger().value_or(-1));
    }
    return offsets;
}

/// Joins the slices of all files by name.
class SliceJoiner
{
public:
    explicit SliceJoiner(Checkpoint& checkpoint)
        : m_checkpoint(checkpoint)
    { }

    Result<void> addFileOf(const FolderFile& file)
    {
        if (file.fault != FolderFault::None) {
            m_checkpoint.damage.push_back(describeFault(file, 0));
            return {};
        }
        const auto source = ByteSource::ofWholeFile(file.path);
        if (!source)
            return tl::unexpected(source.error());
        const auto header = readSafetensorsHeader(*source, file.name);
        if (!header)
            return tl::unexpected(header.error());
        const std::uint32_t number = addFile(m_checkpoint, file);
        for (CheckpointDamage damage : header->damage) {
            damage.text = fmt::format("{}: {}", file.name, damage.text);
            m_checkpoint.damage.push_back(std::move(damage));
        }
        const auto offsets = readOffsets(*header);
        if (!offsets && header->damage.empty())
            m_checkpoint.damage.push_back({"bad-index", file.name,
                fmt::format("{} does not say where its slices belong", file.name), false});
        for (const SafetensorsEntry& entry : header->entries)
            addSlice(*header, entry, offsets ? *offsets : SliceOffsets(), number);
        return {};
    }

    void finish()
    {
        for (std::size_t i = 0; i < m_boxes.size(); ++i)
            finishTensor(m_checkpoint.tensors[i], m_boxes[i], m_cut[i]);
    }

private:
    void addSlice(const SafetensorsHeader& header, const SafetensorsEntry& entry,
        const SliceOffsets& offsets, std::uint32_t number)
    {
        if (!entry.usable) {
            loseTensor(m_checkpoint, entry.name);
            return;
        }
        ChunkBox box{std::vector<std::int64_t>(entry.shape.size(), 0), entry.shape};
        const auto known = offsets.find(entry.name);
        if (known != offsets.end())
            box.offsets = known->second;
        const auto [at, isNew] = m_places.emplace(entry.name, m_boxes.size());
        if (isNew) {
            CheckpointTensor& tensor = m_checkpoint.tensors.emplace_back();
            tensor.path.push_back({PathPart::Kind::Text, entry.name});
            tensor.name = entry.name;
            tensor.type = entry.type;
            tensor.shape.assign(entry.shape.size(), 0);
            m_boxes.emplace_back();
            m_cut.push_back(false);
        }
        CheckpointTensor& tensor = m_checkpoint.tensors[at->second];
        if (!extend(tensor, box, entry))
            return;
        TensorPiece piece
            = wholePiece(static_cast<std::uint32_t>(m_checkpoint.storages.size()), box.sizes);
        piece.offsets = box.offsets;
        tensor.pieces.push_back(std::move(piece));
        m_boxes[at->second].push_back(std::move(box));
        const Storage& storage
            = m_checkpoint.storages.emplace_back(storageOf(header, entry, number));
        if (storage.bytes < storage.declaredBytes)
            m_cut[at->second] = true;
    }

    /// The whole shape is only known from the union of the slices.
    bool extend(CheckpointTensor& tensor, const ChunkBox& box, const SafetensorsEntry& entry)
    {
        bool fits = entry.type == tensor.type && box.offsets.size() == tensor.shape.size();
        for (std::size_t d = 0; fits && d < box.offsets.size(); ++d)
            fits = box.offsets[d] >= 0 && box.offsets[d] <= INT64_MAX - box.sizes[d];
        if (!fits) {
            m_checkpoint.damage.push_back({"size-mismatch", entry.name,
                fmt::format(
                    "a slice of {} has another type or number of dimensions than the others",
                    shown(entry.name)),
                false});
            return false;
        }
        for (std::size_t d = 0; d < box.offsets.size(); ++d)
            tensor.shape[d] = std::max(tensor.shape[d], box.offsets[d] + box.sizes[d]);
        return true;
    }

    void finishTensor(CheckpointTensor& tensor, const std::vector<ChunkBox>& boxes, bool isCut)
    {
        tensor.kind = kindOfPath(tensor.path, tensor.shape);
        const Coverage covered = coverage(tensor.shape, boxes);
        if (covered.overlapping > 0)
            m_checkpoint.damage.push_back({"overlap", tensor.name,
                fmt::format(
                    "slices of {} overlap in {} elements", shown(tensor.name), covered.overlapping),
                false});
        if (covered.uncovered > 0)
            m_checkpoint.damage.push_back({"gap", tensor.name,
                fmt::format(
                    "{} elements of {} are in no slice", covered.uncovered, shown(tensor.name)),
                false});
        if (covered.outside || covered.uncovered > 0 || isCut)
            loseTensor(m_checkpoint, tensor.name);
    }

    Checkpoint& m_checkpoint;
    std::unordered_map<std::string, std::size_t> m_places;
    std::vector<std::vector<ChunkBox>> m_boxes;
    std::vector<bool> m_cut;
};

void noteMissingRanks(Checkpoint& checkpoint, const std::vector<std::string>& files)
{
    std::vector<std::uint32_t> numbers;
    for (const std::string& name : files)
        numbers.push_back(*sliceNumber(name));
    std::sort(numbers.begin(), numbers.end());
    constexpr std::uint32_t kMaxNamed = 1000;
    std::uint32_t expected = 1;
    for (const std::uint32_t number : numbers) {
        for (; expected < number && checkpoint.damage.size() < kMaxNamed; ++expected)
            checkpoint.damage.push_back({"missing-shard", fmt::format("shard-{:05}", expected),
                fmt::format("the slices of shard-{:05} are missing", expected), false});
        expected = number + 1;
    }
}

}  // namespace

int sniffHfSlices(const CheckpointHead& head)
{
    const bool any = std::any_of(head.entries.begin(), head.entries.end(),
        [](const std::string& name) { return sliceNumber(name).has_value(); });
    return any ? 75 : 0;
}

Result<Checkpoint> openHfSlices(const CheckpointHead& head, JobContext& job)
{
    Checkpoint checkpoint;
    checkpoint.path = head.shownPath;
    checkpoint.format = "dcp-hf";
    checkpoint.step = stepOfName(head.path.filename().string());
    const CheckpointFolder folder(head.path, head.shownPath);
    std::vector<std::string> files;
    SliceJoiner joiner(checkpoint);
    for (const std::string& name : head.entries) {
        if (job.cancelled())
            return JobContext::cancelledError();
        if (!sliceNumber(name))
            continue;
        files.push_back(name);
        if (auto added = joiner.addFileOf(folder.find(name)); !added)
            return tl::unexpected(std::move(added.error()));
    }
    joiner.finish();
    noteMissingRanks(checkpoint, files);
    if (!checkpoint.damage.empty())
        checkpoint.reason = checkpoint.damage.front().text;
    return checkpoint;
}

}  // namespace firstbad::core
