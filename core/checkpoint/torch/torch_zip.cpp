// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/checkpoint/torch/script_names.h"
#include "core/checkpoint/torch/tensor_collector.h"
#include "core/checkpoint/torch/torch_export.h"
#include "core/checkpoint/torch/torch_place.h"
#include "core/checkpoint/zip/zip_archive.h"

#include "core/base/number.h"
#include "core/base/text.h"

#include <algorithm>
#include <fmt/format.h>
#include <unordered_map>

namespace firstbad::core {

namespace {

constexpr std::uint16_t kDeflated = 8;
constexpr std::uint64_t kMaxInflatedPickle = std::uint64_t{64} << 20U;
constexpr std::uint64_t kMaxSmallRecord = std::uint64_t{4} << 20U;
constexpr std::uint64_t kMaxProbedBytes = std::uint64_t{64} << 20U;
constexpr std::int64_t kNewestVersion = 10;

class TorchZip
{
public:
    TorchZip(const ByteSource& source, const TorchFileOptions& options, JobContext& job)
        : m_source(source)
        , m_options(options)
        , m_job(job)
    { }

    Result<TorchFile> read()
    {
        auto directory = readZipDirectory(m_source, ZipLayout::OneFolder, m_job);
        if (!directory)
            return tl::unexpected(std::move(directory.error()));
        auto done = *directory ? readWhole(std::move(**directory)) : readCutOff();
        if (!done)
            return tl::unexpected(std::move(done.error()));
        m_file.end = m_archive.end;
        noteLostTensors(part());
        return std::move(m_file);
    }

private:
    Checkpoint& part() { return m_file.part; }
    [[nodiscard]] std::string member(std::string_view record) const
    {
        return m_options.memberPrefix + toValidUtf8(record);
    }
    void addDamage(
        std::string error, std::string_view record, std::string text, bool hostile = false)
    {
        part().damage.push_back({std::move(error), member(record), std::move(text), hostile});
    }

    Result<void> readWhole(ZipArchive archive)
    {
        m_archive = std::move(archive);
        for (CheckpointDamage& damage : m_archive.damage) {
            damage.member = m_options.memberPrefix + damage.member;
            part().damage.push_back(std::move(damage));
        }
        part().format = "torch-zip";
        readSmallRecords();
        probeDeflated();
        if (m_archive.find("data.pkl") == nullptr && isTorchExport(m_archive)) {
            readTorchExport(m_source, m_archive, m_options, part());
            return {};
        }
        auto document = readPickle("data.pkl");
        if (!document)
            return tl::unexpected(std::move(document.error()));
        if (!*document)
            return {};
        if (auto collected = collect(**document, "data.pkl", "data/", m_options); !collected)
            return collected;
        m_script.setKinds(part());
        if (auto constants = readConstants(); !constants)
            return constants;
        if (m_options.wantDocument)
            m_file.document = std::move(**document);
        return {};
    }

    /// Checks the checksums of what is small, and reads what the archive says about itself.
    void readSmallRecords()
    {
        for (const ZipEntry& entry : m_archive.entries) {
            const std::string_view record = entry.record();
            const bool isStorage = record.starts_with("data/") || record.starts_with("constants/");
            if (isStorage || record == "data.pkl" || !entry.refusal.empty()
                || entry.bytes > kMaxSmallRecord || (m_smallBytes += entry.bytes) > kMaxProbedBytes)
                continue;
            const auto read = readZipRecord(m_source, entry, kMaxSmallRecord);
            if (!read)
                addDamage("truncated", record, read.error().message);
            else if (!read->crcMatches)
                addCrc(entry);
            else
                noteSmallRecord(record, read->bytes);
        }
    }

    void noteSmallRecord(std::string_view record, const std::string& bytes)
    {
        if (record == "byteorder") {
            m_bigEndian = trimmed(bytes) == "big";
            if (m_bigEndian)
                part().byteOrderNote = "big-endian: the file was saved on such a machine";
        } else if (record == "version" || record == ".data/version") {
            const auto version = parseInteger(trimmed(bytes));
            if (!version || *version <= kNewestVersion)
                return;
            CheckpointWarning warning;
            warning.code = "newer-version";
            warning.text = fmt::format("the archive has format version {}; {} is the newest known",
                *version, kNewestVersion);
            part().warnings.push_back(std::move(warning));
        } else if (record == "constants.pkl" || record.starts_with("code/")) {
            part().format = "torchscript";
            if (record.ends_with(".py"))
                m_script.add(bytes);
        }
    }

    void addCrc(const ZipEntry& entry)
    {
        addCrcDamage(part().damage, entry);
        part().damage.back().member = member(entry.record());
    }

    /// nullopt when there is none to read; the damage says why.
    Result<std::optional<PickleDocument>> readPickle(std::string_view record)
    {
        const ZipEntry* entry = m_archive.find(record);
        if (entry == nullptr) {
            if (part().damage.empty() || !m_archive.entries.empty())
                addDamage("missing-record", record,
                    fmt::format("the record {} is missing: nothing says what the storages are",
                        member(record)));
            return std::optional<PickleDocument>();
        }
        if (!entry->refusal.empty())
            return std::optional<PickleDocument>();
        if (entry->method == kDeflated && entry->bytes > kMaxInflatedPickle) {
            addDamage("inflate-limit", record,
                fmt::format("{} inflates to {} bytes, more than the limit for pickles of {}",
                    member(record), entry->bytes, kMaxInflatedPickle),
                true);
            return std::optional<PickleDocument>();
        }
        auto read = readZipRecord(m_source, *entry, m_source.size() + kMaxInflatedPickle);
        if (!read) {
            addDamage(entry->method == kDeflated ? "inflate-limit" : "truncated", record,
                read.error().message, entry->method == kDeflated);
            return std::optional<PickleDocument>();
        }
        if (!read->crcMatches)
            addCrc(*entry);
        auto document = unpickle(std::move(read->bytes), m_job);
        if (!document)
            return tl::unexpected(std::move(document.error()));
        return std::optional(std::move(*document));
    }

    Result<void> collect(const PickleDocument& document, std::string_view record,
        std::string storagePrefix, const TorchFileOptions& options)
    {
        TorchStorages storages(part(), m_options.file, storagePrefix);
        TensorCollector collector(document, storages, options, std::string(record), m_job);
        if (auto collected = collector.collect(); !collected)
            return collected;
        for (const TorchStorages::Named& named : storages.named())
            place(storagePrefix + named.key, part().storages[named.storage]);
        readPendingScales(part(), collector.pendingScales(), m_source);
        return {};
    }

    /// Tensors that TorchScript code refers to lie beside its constants.pkl.
    Result<void> readConstants()
    {
        if (m_archive.find("constants.pkl") == nullptr)
            return {};
        auto document = readPickle("constants.pkl");
        if (!document)
            return tl::unexpected(std::move(document.error()));
        if (!*document)
            return {};
        TorchFileOptions options = m_options;
        options.prefix.push_back({PathPart::Kind::Text, "constants"});
        return collect(**document, "constants.pkl", "constants/", options);
    }

    void place(const std::string& record, Storage& storage)
    {
        const ZipEntry* entry = m_archive.find(record);
        if (entry == nullptr) {
            // Of a save that was cut off, the sentence about the cut speaks for all of them.
            if (m_archive.hasDirectory && storage.declaredBytes > 0)
                addDamage("missing-record", record,
                    fmt::format("the storage record {} is missing", member(record)));
            return;
        }
        if (!entry->refusal.empty())
            return;
        storage.coding = entry->method == kDeflated ? StorageCoding::Deflate : StorageCoding::Raw;
        storage.offset = m_source.origin() + entry->dataOffset;
        storage.storedBytes = entry->available;
        storage.bytes = entry->method == kDeflated ? entry->bytes : entry->available;
        storage.bigEndian = m_bigEndian;
        if (entry->crc != 0 && entry->available == entry->storedBytes)
            storage.crc32 = entry->crc;
        const bool isCut = entry->available < entry->storedBytes;
        if (!isCut && entry->bytes != storage.declaredBytes)
            addDamage("size-mismatch", record,
                fmt::format("the record {} holds {} bytes, its tensors need {}", member(record),
                    entry->bytes, storage.declaredBytes));
        storage.declaredBytes = std::max(storage.declaredBytes, storage.bytes);
        if (m_source.inMemory())
            takeInline(*entry, storage);
    }

    /// A file in memory has no place that could be read later.
    void takeInline(const ZipEntry& entry, Storage& storage)
    {
        const auto read = readZipRecord(m_source, entry, m_source.size() + kMaxSmallRecord);
        storage.coding = StorageCoding::Inline;
        storage.offset = 0;
        storage.inlineBytes.clear();
        if (read)
            storage.inlineBytes.assign(read->bytes.begin(), read->bytes.end());
        storage.bytes = storage.storedBytes = storage.inlineBytes.size();
    }

    /// Deflated records are probed for lies about their size, as far as a budget allows; the rest
    /// is found by whoever streams them.
    void probeDeflated()
    {
        std::uint64_t probed = 0;
        for (ZipEntry& entry : m_archive.entries) {
            if (entry.method != kDeflated || !entry.refusal.empty() || entry.record() == "data.pkl")
                continue;
            probed += entry.bytes;
            if (probed > kMaxProbedBytes || m_job.cancelled())
                break;
            if (inflatesAsDeclared(m_source, entry))
                continue;
            entry.refusal = "it inflates past its declared size";
            addDamage("inflate-limit", entry.record(),
                fmt::format("record {} inflates past its declared {} bytes", member(entry.record()),
                    entry.bytes),
                true);
        }
    }

    // --- a save that was cut off ---

    Result<void> readCutOff()
    {
        part().format = "torch-zip";
        std::optional<PickleDocument> document;
        std::unordered_map<std::string, std::uint64_t> sizes;
        std::optional<Error> failure;
        const auto sizeOf
            = [&](std::string_view record, std::uint64_t offset) -> std::optional<std::uint64_t> {
            if (record == "data.pkl" && !document) {
                auto read = unpickleAt(m_source, offset, m_job);
                if (!read) {
                    failure = std::move(read.error());
                    return std::nullopt;
                }
                document = std::move(*read);
                sizes = storageSizes(*document);
                return document->problem ? std::nullopt : std::optional(document->end);
            }
            const auto known = sizes.find(std::string(record));
            return known == sizes.end() ? std::nullopt : std::optional(known->second);
        };
        auto archive = walkZip(m_source, sizeOf, m_job);
        if (failure)
            return tl::unexpected(std::move(*failure));
        if (!archive)
            return tl::unexpected(std::move(archive.error()));
        m_archive = std::move(*archive);
        readSmallRecords();
        if (document) {
            // The cut says more than the pickle's own end.
            document->problem.reset();
            if (auto collected = collect(*document, "data.pkl", "data/", m_options); !collected)
                return collected;
        }
        addCutDamage(sizes, document.has_value());
        if (document && m_options.wantDocument)
            m_file.document = std::move(*document);
        return {};
    }

    static std::unordered_map<std::string, std::uint64_t> storageSizes(
        const PickleDocument& document)
    {
        std::unordered_map<std::string, std::uint64_t> sizes;
        for (PickleRef ref = 0; ref < document.arena.size(); ++ref) {
            if (const auto id = readStorageId(document.arena, ref))
                sizes.emplace("data/" + id->key, id->bytes);
        }
        return sizes;
    }

    void addCutDamage(const std::unordered_map<std::string, std::uint64_t>& sizes, bool hasPickle)
    {
        std::size_t absent = 0;
        for (const auto& [record, bytes] : sizes)
            absent += m_archive.find(record) == nullptr ? 1U : 0U;
        const std::string later = absent == 0
            ? ""
            : fmt::format("; {} of {} storages were never written", absent, sizes.size());
        const ZipEntry* last = m_archive.entries.empty() ? nullptr : &m_archive.entries.back();
        const auto expected
            = last != nullptr ? sizes.find(std::string(last->record())) : sizes.end();
        const bool pickleCut = last != nullptr && last->record() == "data.pkl"
            && (!hasPickle || last->dataOffset + last->available >= m_source.size());
        if (last != nullptr && last->available < last->storedBytes)
            addDamage("truncated", last->record(),
                fmt::format("the save was cut off inside {}: {} of {} bytes are present{}",
                    member(last->record()), last->available,
                    expected != sizes.end() ? expected->second : last->storedBytes, later));
        else if (pickleCut)
            addDamage("truncated", "data.pkl",
                fmt::format(
                    "the save was cut off inside {}: no storage is present", member("data.pkl")));
        else
            addDamage("truncated", "central directory",
                fmt::format("no central directory: the save was cut off{}",
                    absent == 0 && hasPickle ? "; every storage record is complete" : later));
    }

    const ByteSource& m_source;
    const TorchFileOptions& m_options;
    JobContext& m_job;
    ZipArchive m_archive;
    TorchFile m_file;
    ScriptNames m_script;
    std::uint64_t m_smallBytes = 0;
    bool m_bigEndian = false;
};

}  // namespace

Result<TorchFile> readTorchZip(
    const ByteSource& source, const TorchFileOptions& options, JobContext& job)
{
    return TorchZip(source, options, job).read();
}

}  // namespace firstbad::core
