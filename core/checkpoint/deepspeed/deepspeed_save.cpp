// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/checkpoint/deepspeed/deepspeed_save.h"

#include "core/checkpoint/deepspeed/deepspeed_files.h"
#include "core/checkpoint/deepspeed/flat_slices.h"
#include "core/checkpoint/deepspeed/universal.h"
#include "core/checkpoint/folder/step_name.h"
#include "core/checkpoint/folder/torch_member.h"

#include <algorithm>
#include <fmt/format.h>
#include <map>
#include <set>

namespace firstbad::core {

namespace {

constexpr int kMaxRanks = 100'000;

class SaveAdder
{
public:
    SaveAdder(Checkpoint& checkpoint, const CheckpointFolder& folder,
        const std::vector<PathPart>& prefix, JobContext& job)
        : m_checkpoint(checkpoint)
        , m_folder(folder)
        , m_prefix(prefix)
        , m_job(job)
    { }

    Result<void> run()
    {
        const auto entries = m_folder.list();
        for (const std::string& name : entries) {
            const auto file = parseDeepSpeedFile(name);
            if (!file)
                continue;
            if (auto added = addFileOf(name, *file); !added)
                return added;
        }
        if (std::binary_search(entries.begin(), entries.end(), "zero")) {
            if (auto added = addUniversal(m_checkpoint, m_folder, m_prefix, m_job); !added)
                return added;
        }
        placeSlices();
        noteMissing();
        if (!m_checkpoint.step)
            m_checkpoint.step = stepOfName(m_folder.path().filename().string());
        return {};
    }

private:
    Result<void> addFileOf(const std::string& name, const DeepSpeedFile& file)
    {
        std::vector<PathPart> prefix = m_prefix;
        prefix.push_back(stemPart(name));
        const bool isOptimizer = file.kind == DeepSpeedFile::Kind::OptimizerStates;
        const bool isModel = file.kind == DeepSpeedFile::Kind::ModelStates;
        auto member = addTorchMember(
            m_checkpoint, m_folder.find(name), prefix, isOptimizer || isModel, m_job);
        if (!member)
            return tl::unexpected(std::move(member.error()));
        if (isModel)
            takeModelStates(joinPath(prefix), file, *member);
        if (isOptimizer)
            takeOptimizerStates(name, file, *member);
        if (file.layer >= 0 && file.kind == DeepSpeedFile::Kind::Layer)
            m_layers[file.modelRank].insert(file.layer);
        return {};
    }

    void takeModelStates(
        const std::string& stem, const DeepSpeedFile& file, const TorchMember& member)
    {
        const PickleDocument& document = member.document;
        if (member.readable && document.root != kNoValue) {
            ZeroGroups groups = readParamShapes(document.arena, document.root);
            ZeroGroups& known = m_groups[file.modelRank];
            if (known.empty())
                known = std::move(groups);
        }
        m_modelRanks.insert(file.modelRank);
        const auto number = [&](std::string_view key) {
            return scalarOf(m_checkpoint, member, fmt::format("{}.{}", stem, key));
        };
        const auto world = number("dp_world_size");
        if (world && *world >= 1 && *world <= kMaxRanks)
            m_dataWorld = std::max(m_dataWorld, static_cast<int>(*world));
        for (const std::string_view key : {"iteration", "global_steps"}) {
            const auto step = number(key);
            if (!m_checkpoint.step && step && *step >= 0 && *step < 1e15)
                m_checkpoint.step = static_cast<std::int64_t>(*step);
        }
    }

    void takeOptimizerStates(
        const std::string& name, const DeepSpeedFile& file, const TorchMember& member)
    {
        Seen& seen = m_seen[file.modelRank];
        seen.example = name;
        seen.file = file;
        seen.dataRanks.insert(file.dataRank);
        if (!member.readable || member.document.root == kNoValue)
            return;
        ZeroShard shard = readZeroShard(member.document.arena, member.document.root);
        shard.dataRank = file.dataRank;
        shard.modelRank = file.modelRank;
        for (std::size_t i = member.firstTensor; i < member.endTensor; ++i) {
            const CheckpointTensor& tensor = m_checkpoint.tensors[i];
            const auto group = groupOfVector(tensor);
            if (!group || tensor.kind != TensorKind::Master || *group > member.endTensor)
                continue;
            shard.lengths.resize(std::max(shard.lengths.size(), *group + 1));
            shard.lengths[*group] = tensor.shape[0];
        }
        if (shard.overflowed)
            noteOverflow(name);
        m_shards.push_back(std::move(shard));
        m_ranges.emplace_back(member.firstTensor, member.endTensor);
    }

    void noteOverflow(const std::string& name)
    {
        CheckpointWarning warning;
        warning.code = "overflow-flag";
        warning.severity = "info";
        warning.file = name;
        warning.text
            = fmt::format("{}: the last step before this save overflowed and was skipped", name);
        m_checkpoint.warnings.push_back(std::move(warning));
    }

    void placeSlices()
    {
        for (const auto& [modelRank, groups] : m_groups)
            placeSlicesOf(modelRank, groups);
        for (std::size_t s = 0; s < m_shards.size(); ++s) {
            for (std::size_t i = m_ranges[s].first; i < m_ranges[s].second; ++i) {
                CheckpointTensor& tensor = m_checkpoint.tensors[i];
                const auto group = groupOfVector(tensor);
                if (group && *group < m_shards[s].groups.size())
                    tensor.slices = m_shards[s].groups[*group];
                if (tensor.slices.size() == 1)
                    tensor.belongsTo = tensor.slices[0].parameter;
            }
        }
    }

    /// Ranks are completed together, as a parameter goes on in the vector of the next rank.
    void placeSlicesOf(int modelRank, const ZeroGroups& groups)
    {
        std::vector<std::size_t> places;
        std::vector<ZeroShard> shards;
        for (std::size_t i = 0; i < m_shards.size(); ++i) {
            if (m_shards[i].modelRank != modelRank)
                continue;
            places.push_back(i);
            shards.push_back(std::move(m_shards[i]));
        }
        completeSlices(shards, groups);
        for (std::size_t i = 0; i < places.size(); ++i)
            m_shards[places[i]] = std::move(shards[i]);
    }

    void noteMissing()
    {
        for (const auto& [modelRank, seen] : m_seen) {
            const int last = std::max(*seen.dataRanks.rbegin() + 1, m_dataWorld);
            for (int rank = 0; rank < last; ++rank) {
                if (seen.dataRanks.count(rank) == 0)
                    missing(fmt::format("{}zero_pp_rank_{}_mp_rank_{:02}_optim_states.pt",
                        seen.file.prefix, rank, modelRank));
            }
        }
        const auto holes = [this](const std::set<int>& numbers, const auto& nameOf) {
            for (int i = 0; !numbers.empty() && i < *numbers.rbegin(); ++i) {
                if (numbers.count(i) == 0)
                    missing(nameOf(i));
            }
        };
        holes(m_modelRanks,
            [](int rank) { return fmt::format("mp_rank_{:02}_model_states.pt", rank); });
        noteMissingLayers();
    }

    /// Layers without parameters have no file, so only a layer that another rank has is missed.
    void noteMissingLayers()
    {
        std::set<int> all;
        for (const auto& [rank, layers] : m_layers)
            all.insert(layers.begin(), layers.end());
        for (const auto& [rank, layers] : m_layers) {
            for (const int layer : all) {
                if (layers.count(layer) == 0)
                    missing(fmt::format("layer_{:02}-model_{:02}-model_states.pt", layer, rank));
            }
        }
    }

    void missing(const std::string& name)
    {
        m_checkpoint.damage.push_back(
            {"missing-shard", name, fmt::format("the file {} is missing", name), false});
    }

    struct Seen {
        std::string example;
        DeepSpeedFile file;
        std::set<int> dataRanks;
    };

    Checkpoint& m_checkpoint;
    const CheckpointFolder& m_folder;
    const std::vector<PathPart>& m_prefix;
    JobContext& m_job;
    std::map<int, ZeroGroups> m_groups;  // by model rank
    std::map<int, Seen> m_seen;
    std::map<int, std::set<int>> m_layers;
    std::set<int> m_modelRanks;
    int m_dataWorld = 0;
    std::vector<ZeroShard> m_shards;
    std::vector<std::pair<std::size_t, std::size_t>> m_ranges;  // tensors of each shard
};

}  // namespace

Result<void> addDeepSpeedSave(Checkpoint& checkpoint, const CheckpointFolder& folder,
    const std::vector<PathPart>& prefix, JobContext& job)
{
    return SaveAdder(checkpoint, folder, prefix, job).run();
}

}  // namespace firstbad::core
