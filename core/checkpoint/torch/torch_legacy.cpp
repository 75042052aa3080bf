// SPDX-License-Identifier: GPL-3.0-or-later
// The format before PyTorch 1.6: five pickles, then every storage as a count and raw bytes.
#include "core/checkpoint/little_endian.h"
#include "core/checkpoint/torch/tensor_collector.h"
#include "core/checkpoint/torch/torch_place.h"

#include "core/base/text.h"

#include <algorithm>
#include <fmt/format.h>

namespace firstbad::core {

namespace {

constexpr std::size_t kPicklesBefore = 3;  // magic number, protocol version, machine

class TorchLegacy
{
public:
    TorchLegacy(const ByteSource& source, const TorchFileOptions& options, JobContext& job)
        : m_source(source)
        , m_options(options)
        , m_job(job)
    { }

    Result<TorchFile> read()
    {
        m_file.part.format = "torch-legacy";
        for (std::size_t i = 0; i < kPicklesBefore; ++i) {
            auto skipped = nextPickle();
            if (!skipped)
                return tl::unexpected(std::move(skipped.error()));
            if (skipped->problem) {
                addTruncated("header", "the file ends inside its header");
                return std::move(m_file);
            }
        }
        auto document = nextPickle();
        if (!document)
            return tl::unexpected(std::move(document.error()));
        TorchStorages storages(m_file.part, m_options.file, m_options.memberPrefix);
        TensorCollector collector(*document, storages, m_options, "object", m_job);
        if (auto collected = collector.collect(); !collected)
            return tl::unexpected(std::move(collected.error()));
        if (!document->problem) {
            if (auto placed = placeStorages(storages); !placed)
                return tl::unexpected(std::move(placed.error()));
        }
        readPendingScales(m_file.part, collector.pendingScales(), m_source);
        noteLostTensors(m_file.part);
        m_file.end = m_position;
        if (m_options.wantDocument)
            m_file.document = std::move(*document);
        return std::move(m_file);
    }

private:
    Result<PickleDocument> nextPickle()
    {
        auto document = unpickleAt(m_source, m_position, m_job);
        if (document)
            m_position += document->end;
        return document;
    }

    void addTruncated(std::string_view member, std::string text)
    {
        m_file.part.damage.push_back(
            {"truncated", m_options.memberPrefix + toValidUtf8(member), std::move(text)});
    }

    Result<void> placeStorages(const TorchStorages& storages)
    {
        std::unordered_map<std::string, std::uint32_t> byKey;
        for (const TorchStorages::Named& named : storages.named())
            byKey.emplace(named.key, named.storage);
        auto keys = nextPickle();
        if (!keys)
            return tl::unexpected(std::move(keys.error()));
        if (keys->problem) {
            addTruncated("storages", "the file ends before the list of its storages");
            return {};
        }
        const auto list = keys->arena.items(keys->root);
        for (std::size_t i = 0; i < list.size(); ++i) {
            const auto number = keys->arena.integer(list[i]);
            const std::string key
                = number ? fmt::format("{}", *number) : std::string(keys->arena.text(list[i]));
            const auto found = byKey.find(key);
            auto placed = placeNext(key,
                found == byKey.end() ? nullptr : &m_file.part.storages[found->second], i,
                list.size());
            if (!placed)
                return tl::unexpected(std::move(placed.error()));
            if (!*placed)
                return {};
        }
        return {};
    }

    /// False when nothing more can be found behind it.
    Result<bool> placeNext(
        const std::string& key, Storage* storage, std::size_t number, std::size_t total)
    {
        constexpr std::size_t kCountBytes = 8;
        const auto bytes = m_source.read(m_position, kCountBytes);
        if (!bytes)
            return tl::unexpected(bytes.error());
        if (bytes->size() < kCountBytes) {
            addTruncated(number == 0 ? "storages" : std::string_view(key),
                number == 0 ? "the pickles are complete, no storage follows"
                            : fmt::format("the file ends before the storage with key {}: {} of {} "
                                          "storages are present",
                                key, number, total));
            return false;
        }
        if (storage == nullptr) {
            addDamage("bad-header", key,
                fmt::format("the storage with key {} belongs to no tensor: its size is unknown, "
                            "{} storages behind it cannot be found",
                    key, total - number - 1));
            return false;
        }
        const auto count = littleEndian<std::uint64_t>(*bytes, 0);
        const std::uint64_t itemBytes = torchElementBytes(storage->type);
        const bool untyped = storage->type == ElementType::Unknown;
        const std::uint64_t declared = storage->declaredBytes / (untyped ? 1 : itemBytes);
        m_position += kCountBytes;
        if (count != declared) {
            addDamage("size-mismatch", key,
                fmt::format("the storage with key {} says {} elements, its tensors {}: {} of {} "
                            "storages were read",
                    key, count, declared, number, total));
            return false;
        }
        return takeBytes(key, *storage);
    }

    Result<bool> takeBytes(const std::string& key, Storage& storage)
    {
        const std::uint64_t left = m_source.size() - std::min(m_source.size(), m_position);
        storage.coding = StorageCoding::Raw;
        storage.offset = m_source.origin() + m_position;
        storage.bytes = storage.storedBytes = std::min(left, storage.declaredBytes);
        if (m_source.inMemory()) {
            const auto bytes = m_source.read(m_position, storage.bytes);
            if (!bytes)
                return tl::unexpected(bytes.error());
            storage.coding = StorageCoding::Inline;
            storage.offset = 0;
            storage.inlineBytes.assign(bytes->begin(), bytes->end());
        }
        m_position += storage.bytes;
        if (storage.bytes == storage.declaredBytes)
            return true;
        addTruncated(key,
            fmt::format("the file was cut off inside the storage with key {}: {} of {} bytes are "
                        "present",
                key, storage.bytes, storage.declaredBytes));
        return false;
    }

    void addDamage(std::string error, const std::string& key, std::string text)
    {
        m_file.part.damage.push_back(
            {std::move(error), m_options.memberPrefix + toValidUtf8(key), std::move(text)});
    }

    const ByteSource& m_source;
    const TorchFileOptions& m_options;
    JobContext& m_job;
    TorchFile m_file;
    std::uint64_t m_position = 0;
};

}  // namespace

Result<TorchFile> readTorchLegacy(
    const ByteSource& source, const TorchFileOptions& options, JobContext& job)
{
    return TorchLegacy(source, options, job).read();
}

}  // namespace firstbad::core
