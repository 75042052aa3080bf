// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/checkpoint/huggingface/weights.h"

#include "core/base/file.h"
#include "core/base/text.h"
#include "core/checkpoint/folder/torch_member.h"
#include "core/checkpoint/huggingface/shard_names.h"
#include "core/checkpoint/huggingface/weight_index.h"
#include "core/checkpoint/safetensors/header.h"
#include "core/checkpoint/safetensors/safetensors_part.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <unordered_map>
#include <unordered_set>

namespace firstbad::core {

namespace {

constexpr std::uint64_t kMaxIndexBytes = std::uint64_t{256} << 20U;
constexpr std::size_t kMaxNamed = 8;

std::string shown(std::string_view name)
{
    return escapedForTerminal(name.substr(0, 200));
}

/// Adds a sharded or single model to a checkpoint, shard by shard.
class WeightsAdder
{
public:
    WeightsAdder(Checkpoint& checkpoint, const CheckpointFolder& folder, const WeightFiles& weights,
        const std::vector<PathPart>& prefix, JobContext& job)
        : m_checkpoint(checkpoint)
        , m_folder(folder)
        , m_weights(weights)
        , m_prefix(prefix)
        , m_job(job)
    { }

    Result<void> run()
    {
        if (!m_weights.index.empty())
            readIndex();
        const std::size_t expected = m_byFile.size();
        for (std::size_t i = 0; i < expected; ++i) {
            if (auto added = addShard(m_byFile[i].first, m_byFile[i].second); !added)
                return added;
        }
        if (expected == 0) {
            for (const std::string& name : m_weights.files) {
                if (auto added = addShard(name, {}); !added)
                    return added;
            }
            noteMissingOfSet();
        }
        checkTotal();
        return {};
    }

private:
    using Names = std::vector<std::string>;

    void readIndex()
    {
        const FolderFile file = m_folder.find(m_weights.index);
        if (file.fault != FolderFault::None) {
            m_checkpoint.damage.push_back(describeFault(file, 0));
            return;
        }
        const auto json = readWholeFile(file.path, kMaxIndexBytes);
        WeightIndex index;
        if (json)
            index = parseWeightIndex(*json);
        else
            index.problem = json.error().message;
        if (!index.problem.empty())
            m_checkpoint.damage.push_back({"bad-index", m_weights.index,
                fmt::format("{}: {}", m_weights.index, index.problem), false});
        addFile(m_checkpoint, file);
        m_total = index.totalSize;
        groupByFile(index);
    }

    void groupByFile(const WeightIndex& index)
    {
        std::unordered_map<std::string, std::size_t> places;
        Names refused;
        for (const auto& [name, file] : index.weights) {
            if (!isPlainFileName(file)) {
                refused.push_back(file);
                loseTensor(m_checkpoint, name);
                continue;
            }
            const auto [at, isNew] = places.emplace(file, m_byFile.size());
            if (isNew)
                m_byFile.emplace_back(file, Names());
            m_byFile[at->second].second.push_back(name);
            m_fileOf.emplace(name, file);
        }
        if (!refused.empty())
            describeRefused(refused);
    }

    void describeRefused(Names& refused)
    {
        const std::size_t count = refused.size();
        std::sort(refused.begin(), refused.end());
        refused.erase(std::unique(refused.begin(), refused.end()), refused.end());
        std::string list;
        for (std::size_t i = 0; i < std::min(kMaxNamed, refused.size()); ++i)
            list += (i == 0 ? "" : ", ") + shown(refused[i]);
        m_checkpoint.damage.push_back({"path-traversal", m_weights.index,
            fmt::format(
                "{}: {} of the entries of weight_map are not plain file names ({}): refused",
                m_weights.index, count, list),
            true});
    }

    /// A shard, with the names that the index says it has.
    Result<void> addShard(const std::string& name, const Names& names)
    {
        if (m_job.cancelled())
            return JobContext::cancelledError();
        const FolderFile file = m_folder.find(name);
        if (file.fault != FolderFault::None) {
            m_checkpoint.damage.push_back(describeFault(file, names.size()));
            for (const std::string& lost : names)
                loseTensor(m_checkpoint, lost);
            return {};
        }
        const std::size_t firstTensor = m_checkpoint.tensors.size();
        const std::size_t firstLost = m_checkpoint.lost.size();
        bool complete = false;
        if (m_weights.isTorch) {
            auto member = addTorchMember(m_checkpoint, file, m_prefix, false, m_job);
            if (!member)
                return tl::unexpected(std::move(member.error()));
            complete = member->readable;
        } else if (auto added = addSafetensors(file)) {
            complete = *added;
        } else {
            return tl::unexpected(std::move(added.error()));
        }
        checkNames(name, names, firstTensor, firstLost, complete);
        return {};
    }

    /// False when the header as a whole could not be believed.
    Result<bool> addSafetensors(const FolderFile& file)
    {
        const auto source = ByteSource::ofWholeFile(file.path);
        if (!source)
            return tl::unexpected(source.error());
        auto header = readSafetensorsHeader(*source, file.name);
        if (!header)
            return tl::unexpected(std::move(header.error()));
        const std::uint32_t number = addFile(m_checkpoint, file);
        bool believed = true;
        for (CheckpointDamage& damage : header->damage) {
            believed
                = believed && damage.error != "bad-header" && damage.error != "header-too-large";
            if (damage.member.starts_with("header"))
                damage.member = file.name;
            damage.text = fmt::format("{}: {}", file.name, damage.text);
            m_checkpoint.damage.push_back(std::move(damage));
        }
        for (const SafetensorsEntry& entry : header->entries)
            addEntry(*header, entry, number, file.name);
        addSafetensorsMetadata(m_checkpoint, *header);
        return believed;
    }

    void addEntry(const SafetensorsHeader& header, const SafetensorsEntry& entry,
        std::uint32_t number, const std::string& fileName)
    {
        const auto said = m_fileOf.find(entry.name);
        if (said != m_fileOf.end() && said->second != fileName) {
            note(entry.name,
                fmt::format("{} is also in {}; the index names {}", shown(entry.name), fileName,
                    said->second));
            return;
        }
        if (!m_added.insert(entry.name).second) {
            m_checkpoint.damage.push_back({"duplicate-key", entry.name,
                fmt::format(
                    "{} occurs in more than one shard, again in {}", shown(entry.name), fileName),
                false});
            return;
        }
        if (said == m_fileOf.end() && !m_fileOf.empty())
            note(entry.name,
                fmt::format("{} in {} is not listed in the index", shown(entry.name), fileName));
        m_bytes += entry.end >= entry.begin ? entry.end - entry.begin : 0;
        addSafetensorsTensor(m_checkpoint, header, entry, number);
    }

    void note(const std::string& tensor, std::string text)
    {
        CheckpointWarning warning;
        warning.code = "index-mismatch";
        warning.tensor = tensor;
        warning.text = std::move(text);
        warning.severity = "info";
        warning.file = m_weights.index;
        m_checkpoint.warnings.push_back(std::move(warning));
    }

    void checkNames(const std::string& file, const Names& names, std::size_t firstTensor,
        std::size_t firstLost, bool complete)
    {
        std::unordered_set<std::string_view> there;
        for (std::size_t i = firstTensor; i < m_checkpoint.tensors.size(); ++i) {
            there.insert(m_checkpoint.tensors[i].name);
            for (const std::string& alias : m_checkpoint.tensors[i].aliases)
                there.insert(alias);
        }
        Names absent;
        {
            std::unordered_set<std::string_view> lost(
                m_checkpoint.lost.begin() + static_cast<std::ptrdiff_t>(firstLost),
                m_checkpoint.lost.end());
            for (const std::string& name : names) {
                if (there.count(name) == 0 && lost.count(name) == 0)
                    absent.push_back(name);
            }
        }
        for (const std::string& name : absent) {
            if (complete)
                m_checkpoint.damage.push_back({"index-mismatch", name,
                    fmt::format("the index says that {} is in {}, the shard does not have it",
                        shown(name), file),
                    false});
            loseTensor(m_checkpoint, name);
        }
    }

    /// Without an index the names of the shards say how many there should be.
    void noteMissingOfSet()
    {
        for (const std::string& name : missingShards(m_weights.files))
            m_checkpoint.damage.push_back(
                {"missing-shard", name, fmt::format("the shard {} is missing", name), false});
    }

    void checkTotal()
    {
        if (!m_total || m_weights.isTorch || *m_total == m_bytes || !m_checkpoint.damage.empty())
            return;
        note({},
            fmt::format("the index speaks of {} bytes of tensors, the shards hold {} (tied weights "
                        "make these differ)",
                *m_total, m_bytes));
    }

    Checkpoint& m_checkpoint;
    const CheckpointFolder& m_folder;
    const WeightFiles& m_weights;
    const std::vector<PathPart>& m_prefix;
    JobContext& m_job;
    std::optional<std::uint64_t> m_total;
    std::vector<std::pair<std::string, Names>> m_byFile;
    std::unordered_map<std::string, std::string> m_fileOf;
    std::unordered_set<std::string> m_added;
    std::uint64_t m_bytes = 0;
};

/// Shards or the one file with that extension and stem, if any.
void addModel(const std::vector<std::string>& entries, std::string_view stem,
    std::string_view extension, std::vector<WeightFiles>& found)
{
    WeightFiles weights;
    weights.isTorch = extension == ".bin";
    const std::string single = fmt::format("{}{}", stem, extension);
    const std::string index = single + ".index.json";
    if (std::binary_search(entries.begin(), entries.end(), index))
        weights.index = index;
    for (const std::string& name : entries) {
        if (isShardName(name, extension) && name.starts_with(fmt::format("{}-", stem)))
            weights.files.push_back(name);
    }
    if (weights.index.empty() && weights.files.empty()
        && std::binary_search(entries.begin(), entries.end(), single))
        weights.files.push_back(single);
    if (!weights.index.empty() || !weights.files.empty())
        found.push_back(std::move(weights));
}

}  // namespace

bool isShardName(std::string_view name, std::string_view extension)
{
    const auto shard = parseShardName(name);
    return shard && shard->extension == extension && !name.starts_with("shard-");
}

std::vector<WeightFiles> findWeights(const std::vector<std::string>& entries)
{
    constexpr std::array<std::pair<std::string_view, std::string_view>, 9> kModels{{
        {"model", ".safetensors"},
        {"pytorch_model", ".bin"},
        {"adapter_model", ".safetensors"},
        {"adapter_model", ".bin"},
        {"diffusion_pytorch_model", ".safetensors"},
        {"diffusion_pytorch_model", ".bin"},
        {"pytorch_model", ".safetensors"},
        {"consolidated", ".safetensors"},
        {"ema_model", ".safetensors"},
    }};
    std::vector<WeightFiles> found;
    for (const auto& [stem, extension] : kModels)
        addModel(entries, stem, extension, found);
    return found;
}

Result<void> addWeights(Checkpoint& checkpoint, const CheckpointFolder& folder,
    const WeightFiles& weights, const std::vector<PathPart>& prefix, JobContext& job)
{
    return WeightsAdder(checkpoint, folder, weights, prefix, job).run();
}

}  // namespace firstbad::core
