// SPDX-License-Identifier: GPL-3.0-or-later
// .keras: a zip with model.weights.h5, which is read where it lies.
#include "core/base/json_reader.h"
#include "core/checkpoint/hdf5/hdf5_part.h"
#include "core/checkpoint/hdf5/hdf5_reader.h"
#include "core/checkpoint/zip/zip_archive.h"

#include <fmt/format.h>

namespace firstbad::core {
namespace {

constexpr auto kWeights = "model.weights.h5";

/// keras_version and the like out of metadata.json.
void addTexts(Checkpoint& checkpoint, const ByteSource& source, const ZipArchive& archive)
{
    constexpr std::uint64_t kMaxBytes = 65536;
    const ZipEntry* entry = archive.find("metadata.json");
    if (entry == nullptr || !entry->refusal.empty())
        return;
    const auto record = readZipRecord(source, *entry, kMaxBytes);
    const auto json
        = record ? parseJson(record->bytes) : Result<JsonValue>(tl::unexpected(record.error()));
    if (!json)
        return;
    for (const auto& [key, value] : json->members) {
        if (!value.asText().empty())
            checkpoint.texts.push_back({key, std::string(value.asText())});
    }
}

Result<void> addWeights(
    Checkpoint& checkpoint, const ByteSource& source, const ZipArchive& archive, JobContext& job)
{
    const ZipEntry* entry = archive.find(kWeights);
    if (entry == nullptr || !entry->refusal.empty()) {
        checkpoint.damage.push_back({"missing-record", kWeights,
            fmt::format("{} is not in the archive, or cannot be read", kWeights), false});
        return {};
    }
    if (entry->method != 0) {
        checkpoint.supported = false;
        checkpoint.reason = fmt::format(
            "{} is compressed inside the archive: unpack it to have it read", kWeights);
        return {};
    }
    const Hdf5Window window{
        checkpoint.files[0].location, source.origin() + entry->dataOffset, entry->available};
    return addHdf5(checkpoint, 0, window, kWeights, job);
}

}  // namespace

int sniffKerasArchive(const CheckpointHead& head)
{
    if (!head.head.starts_with("PK\x03\x04"))
        return 0;
    constexpr int kCertain = 95;
    return head.path.extension() == ".keras" || head.head.find(kWeights) != std::string::npos
        ? kCertain
        : 0;
}

Result<Checkpoint> openKerasArchive(const CheckpointHead& head, JobContext& job)
{
    const auto source = ByteSource::ofWholeFile(head.path);
    if (!source)
        return tl::unexpected(source.error());
    Checkpoint checkpoint;
    checkpoint.path = head.shownPath;
    checkpoint.format = "hdf5";
    checkpoint.files.push_back({head.shownPath, head.path.string(), head.bytes});
    const auto archive = readZipDirectory(*source, ZipLayout::Flat, job);
    if (!archive)
        return tl::unexpected(archive.error());
    if (!*archive) {
        checkpoint.damage.push_back({"truncated", "central directory",
            fmt::format("{} was cut off: it has no central directory", head.shownPath), false});
    } else {
        checkpoint.damage = (*archive)->damage;
        addTexts(checkpoint, *source, **archive);
        if (auto added = addWeights(checkpoint, *source, **archive, job); !added)
            return tl::unexpected(std::move(added.error()));
    }
    if (checkpoint.reason.empty() && !checkpoint.damage.empty())
        checkpoint.reason = checkpoint.damage.front().text;
    return checkpoint;
}

}  // namespace firstbad::core
