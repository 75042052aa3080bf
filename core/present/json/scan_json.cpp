// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/present/json/scan_json.h"

#include "core/base/json_lists.h"
#include "core/base/number.h"
#include "core/checkpoint/element_type.h"
#include "core/present/json/json_members.h"

#include <algorithm>
#include <span>

namespace firstbad::core {
namespace {

void writePath(JsonWriter& json, const std::vector<PathPart>& path)
{
    json.key("path");
    json.beginArray();
    for (const PathPart& part : path) {
        const auto number
            = part.kind == PathPart::Kind::Number ? parseInteger(part.text) : std::nullopt;
        if (number) {
            json.value(*number);
        } else if (part.kind == PathPart::Kind::Other) {
            json.beginObject();
            json.member("key", part.text);
            json.endObject();
        } else {
            json.value(part.text);
        }
    }
    json.endArray();
}

void writeCounts(JsonWriter& json, const ValueStats& stats)
{
    json.member("nan", stats.nan);
    json.member("posinf", stats.posInf);
    json.member("neginf", stats.negInf);
}

void writeShard(JsonWriter& json, const Checkpoint& checkpoint, const ShardFinding& shard)
{
    const Storage& storage = checkpoint.storages[shard.storage];
    json.beginObject();
    json.member("file", checkpoint.files[storage.file].path);
    textMember(json, "item", storage.member);
    writeList(json, "offsets", shard.offsets);
    writeList(json, "sizes", shard.sizes);
    writeCounts(json, shard.stats);
    writeList(json, "first_bad_index", shard.firstIndex);
    json.member("file_byte_offset", shard.fileOffset);
    json.endObject();
}

void writeIdentity(JsonWriter& json, const CheckpointTensor& tensor, const TensorScan& scan)
{
    json.member("name", tensor.name);
    writePath(json, tensor.path);
    json.member("kind", toString(tensor.kind));
    json.member("dtype", elementTypeInfo(tensor.type).name);
    writeList(json, "shape", tensor.shape);
    json.member("elements", scan.elements);
    textMember(json, "object", tensor.object);
    textMember(json, "belongs_to", tensor.belongsTo);
    writeList(json, "aliases", tensor.aliases);
}

void writeFinding(JsonWriter& json, const Checkpoint& checkpoint, const CheckpointTensor& tensor,
    const TensorScan& scan)
{
    const ValueStats& stats = scan.stats;
    json.member("scanned", scan.scanned);
    writeCounts(json, stats);
    json.member("zeros", stats.zeros);
    json.member("subnormals", stats.subnormals);
    json.member("at_largest", stats.atLargest);
    const char* position = tensor.valuesOnly ? "first_bad_values_index" : "first_bad_flat_index";
    json.member(position, stats.firstBad);
    json.key("first_bad_index");
    if (stats.firstBad) {
        json.beginArray();
        for (const std::int64_t index : scan.firstIndex)
            json.value(index);
        json.endArray();
    } else {
        json.null();
    }
    textMember(json, "first_bad_bits", scan.firstBits);
    json.member("min_finite", stats.smallest);
    json.member("max_finite", stats.largest);
    textMember(json, "file",
        stats.firstBad && scan.file < checkpoint.files.size() ? checkpoint.files[scan.file].path
                                                              : std::string());
    json.member("file_byte_offset", scan.fileOffset);
}

/// The parameter of a flat vector in which its first bad value lies.
void writeFlatPlace(JsonWriter& json, const CheckpointTensor& tensor, const TensorScan& scan)
{
    if (!scan.stats.firstBad || tensor.slices.empty())
        return;
    const auto at = static_cast<std::int64_t>(*scan.stats.firstBad);
    const auto slice = std::find_if(tensor.slices.begin(), tensor.slices.end(),
        [at](const FlatSlice& one) { return at >= one.start && at < one.start + one.count; });
    if (slice == tensor.slices.end())
        return;
    json.key("in_parameter");
    json.beginObject();
    json.member("name", slice->parameter);
    json.member("flat_index", at - slice->start + slice->offset);
    json.endObject();
}

void writeTensor(JsonWriter& json, const CheckpointScan& scan, std::size_t t)
{
    const CheckpointTensor& tensor = scan.checkpoint.tensors[t];
    json.beginObject();
    writeIdentity(json, tensor, scan.tensors[t]);
    writeFinding(json, scan.checkpoint, tensor, scan.tensors[t]);
    writeFlatPlace(json, tensor, scan.tensors[t]);
    json.key("shards");
    json.beginArray();
    for (const ShardFinding& shard : scan.tensors[t].shards)
        writeShard(json, scan.checkpoint, shard);
    json.endArray();
    json.endObject();
}

enum class Which : std::uint8_t { All, Bad, Partial };

/// Tensors of which a part is gone stand apart: what is left of them proves nothing good.
void writeTensors(JsonWriter& json, const CheckpointScan& scan, Which which)
{
    const std::vector<std::string>& lost = scan.checkpoint.lost;
    json.beginArray();
    for (std::size_t t = 0; t < scan.tensors.size(); ++t) {
        const CheckpointTensor& tensor = scan.checkpoint.tensors[t];
        const bool isLost = std::find(lost.begin(), lost.end(), tensor.name) != lost.end();
        const bool bad = !isLost && isBad(tensor, scan.tensors[t]);
        const bool partial = isLost && scan.tensors[t].stats.values > 0;
        if (which == Which::All || (which == Which::Bad && bad)
            || (which == Which::Partial && partial))
            writeTensor(json, scan, t);
    }
    json.endArray();
}

void writeTotals(JsonWriter& json, const CheckpointScan& scan)
{
    const Checkpoint& checkpoint = scan.checkpoint;
    std::uint64_t names = 0;
    std::uint64_t elements = 0;
    std::uint64_t bytes = 0;
    for (std::size_t t = 0; t < scan.tensors.size(); ++t) {
        names += 1 + checkpoint.tensors[t].aliases.size();
        elements += scan.tensors[t].elements;
    }
    for (const CheckpointFile& file : checkpoint.files)
        bytes += file.bytes;
    json.member("tensors", static_cast<std::uint64_t>(checkpoint.tensors.size()));
    json.member("tensor_names", names);
    json.member("elements", elements);
    json.member("bytes", bytes);
    json.member("bytes_read", scan.bytesRead);
    json.member("seconds", scan.seconds);
    json.member("step", checkpoint.step);
    json.member("nonfinite_tensors", static_cast<std::uint64_t>(badTensors(scan)));
}

void writeUnreferenced(JsonWriter& json, const CheckpointScan& scan)
{
    json.key("unreferenced");
    json.beginArray();
    for (const UnreferencedBytes& slack : scan.unreferenced) {
        const Storage& storage = scan.checkpoint.storages[slack.storage];
        json.beginObject();
        json.member("storage", storage.member);
        textMember(json, "file",
            storage.file < scan.checkpoint.files.size() ? scan.checkpoint.files[storage.file].path
                                                        : std::string());
        json.member("bytes", slack.bytes);
        writeCounts(json, slack.stats);
        json.endObject();
    }
    json.endArray();
}

void writeDamages(JsonWriter& json, const Checkpoint& checkpoint)
{
    for (const CheckpointDamage& damage : checkpoint.damage) {
        json.beginObject();
        json.member("error", damage.error);
        textMember(json, "member", damage.member);
        json.member("text", damage.text);
        json.member("hostile", damage.hostile);
        json.endObject();
    }
}

void writeDamage(JsonWriter& json, const Checkpoint& checkpoint)
{
    json.key("damage");
    json.beginArray();
    writeDamages(json, checkpoint);
    json.endArray();
    json.key("readable");
    if (checkpoint.damage.empty()) {
        json.null();
    } else {
        json.beginArray();
        for (const CheckpointTensor& tensor : checkpoint.tensors) {
            const bool isLost
                = std::find(checkpoint.lost.begin(), checkpoint.lost.end(), tensor.name)
                != checkpoint.lost.end();
            if (!isLost)
                json.value(tensor.name);
        }
        json.endArray();
    }
    writeList(json, "lost", checkpoint.lost);
    writeList(json, "missing", checkpoint.missing);
}

void writeScan(JsonWriter& json, const CheckpointScan& scan, bool all)
{
    const Checkpoint& checkpoint = scan.checkpoint;
    json.beginObject();
    json.member("path", checkpoint.path);
    json.member("format", checkpoint.format);
    json.member("verdict", toString(scan.verdict));
    textMember(json, "reason", scan.reason);
    writeTotals(json, scan);
    json.key("tensors_bad");
    writeTensors(json, scan, Which::Bad);
    json.key("partly_readable");
    writeTensors(json, scan, Which::Partial);
    json.key("scalars_bad");
    json.beginArray();
    for (const CheckpointScalar& scalar : scan.badScalars) {
        json.beginObject();
        json.member("name", scalar.name);
        json.member("value", scalar.value);
        json.endObject();
    }
    json.endArray();
    writeUnreferenced(json, scan);
    writeDamage(json, checkpoint);
    json.key("warnings");
    writeWarnings(json, checkpoint.warnings);
    if (all) {
        json.key("all_tensors");
        writeTensors(json, scan, Which::All);
    }
    json.endObject();
}

/// The saves that one root lists: one checkpoint to its user, each save below it.
void writeRoot(JsonWriter& json, std::span<const CheckpointScan> saves, bool all)
{
    std::uint64_t bad = 0;
    std::uint64_t bytes = 0;
    const auto worst = std::max_element(saves.begin(), saves.end(),
        [](const CheckpointScan& a, const CheckpointScan& b) { return a.verdict < b.verdict; });
    for (const CheckpointScan& save : saves) {
        bad += badTensors(save);
        bytes += save.bytesRead;
    }
    json.beginObject();
    json.member("path", saves.front().root);
    json.member("format", saves.front().rootFormat);
    json.member("verdict", toString(worst->verdict));
    textMember(json, "reason",
        worst->reason.empty() ? std::string() : worst->checkpoint.path + ": " + worst->reason);
    json.memberNull("tensors");
    json.member("bytes_read", bytes);
    json.member("nonfinite_tensors", bad);
    for (const char* empty :
        {"tensors_bad", "scalars_bad", "unreferenced", "lost", "missing", "warnings"}) {
        json.key(empty);
        json.beginArray();
        json.endArray();
    }
    json.key("damage");
    json.beginArray();
    for (const CheckpointScan& save : saves)
        writeDamages(json, save.checkpoint);
    json.endArray();
    json.key("saves");
    json.beginArray();
    for (const CheckpointScan& save : saves)
        writeScan(json, save, all);
    json.endArray();
    json.endObject();
}

}  // namespace

ScanVerdict worstVerdict(const std::vector<CheckpointScan>& scans) noexcept
{
    ScanVerdict worst = ScanVerdict::Finite;
    for (const CheckpointScan& scan : scans)
        worst = std::max(worst, scan.verdict);
    return worst;
}

void writeWarnings(JsonWriter& json, const std::vector<CheckpointWarning>& warnings)
{
    json.beginArray();
    for (const CheckpointWarning& warning : warnings) {
        json.beginObject();
        json.member("code", warning.code);
        json.member("severity", warning.severity);
        textMember(json, "tensor", warning.tensor);
        writeList(json, "rows", warning.rows);
        json.member("index", warning.index);
        json.member("count", warning.count);
        json.member("value", warning.value);
        json.member("limit", warning.limit);
        textMember(json, "file", warning.file);
        json.member("text", warning.text);
        json.endObject();
    }
    json.endArray();
}

std::string scanJson(const std::vector<CheckpointScan>& scans, bool all)
{
    JsonWriter json;
    json.beginObject();
    json.key("files");
    json.beginArray();
    for (std::size_t first = 0; first < scans.size();) {
        std::size_t end = first + 1;
        while (end < scans.size() && !scans[first].root.empty()
            && scans[end].root == scans[first].root)
            ++end;
        if (end - first > 1)
            writeRoot(json, std::span(scans).subspan(first, end - first), all);
        else
            writeScan(json, scans[first], all);
        first = end;
    }
    json.endArray();
    json.member("verdict", toString(worstVerdict(scans)));
    json.endObject();
    return json.take();
}

}  // namespace firstbad::core
