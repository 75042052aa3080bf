// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/checkpoint/megatron/rank_folders.h"

#include "core/base/number.h"
#include "core/base/text.h"
#include "core/checkpoint/folder/torch_member.h"

#include <algorithm>
#include <fmt/format.h>
#include <set>

namespace firstbad::core {

namespace {

constexpr std::string_view kPrefix = "mp_rank_";
constexpr int kMaxRanks = 100'000;
constexpr std::array<std::string_view, 4> kFiles{
    "model_optim_rng.pt", "model_rng.pt", "optim.pt", "distrib_optim.pt"};

struct RankFolder {
    std::string name;
    MegatronRank rank;
    std::vector<std::string> files;
};

/// Flat vectors of the distributed optimizer: the master copy is called "param" there.
void nameFlatVectors(Checkpoint& checkpoint, const TorchMember& member)
{
    for (std::size_t i = member.firstTensor; i < member.endTensor; ++i) {
        CheckpointTensor& tensor = checkpoint.tensors[i];
        if (!tensor.path.empty() && tensor.path.back().text == "param")
            tensor.kind = TensorKind::Master;
    }
}

class RankAdder
{
public:
    RankAdder(Checkpoint& checkpoint, const CheckpointFolder& folder, JobContext& job)
        : m_checkpoint(checkpoint)
        , m_folder(folder)
        , m_job(job)
    { }

    Result<void> add(const RankFolder& rank)
    {
        for (const std::string& name : rank.files) {
            std::vector<PathPart> prefix{{PathPart::Kind::Text, rank.name}};
            if (name == "distrib_optim.pt")
                prefix.push_back(stemPart(name));
            const auto member = addTorchMember(
                m_checkpoint, m_folder.find(name, rank.name), prefix, false, m_job);
            if (!member)
                return tl::unexpected(member.error());
            if (name == "distrib_optim.pt")
                nameFlatVectors(m_checkpoint, *member);
            takeNumbers(rank.name, *member);
        }
        return {};
    }

    /// Ranks that `args` speaks of and that are not there.
    void compareCount(std::size_t found)
    {
        if (m_expected <= static_cast<double>(found))
            return;
        CheckpointWarning warning;
        warning.code = "rank-count-mismatch";
        warning.text = fmt::format(
            "args speak of {} model-parallel ranks, the folder has {}", m_expected, found);
        warning.count = found;
        warning.limit = m_expected;
        m_checkpoint.warnings.push_back(std::move(warning));
    }

private:
    void takeNumbers(const std::string& rank, const TorchMember& member)
    {
        const auto number = [&](std::string_view key) {
            return scalarOf(m_checkpoint, member, fmt::format("{}.{}", rank, key));
        };
        const auto tensor = number("args.tensor_model_parallel_size");
        const auto pipeline = number("args.pipeline_model_parallel_size");
        if (tensor && *tensor >= 1 && *tensor <= kMaxRanks)
            m_expected = std::max(m_expected,
                *tensor * (pipeline && *pipeline >= 1 && *pipeline <= kMaxRanks ? *pipeline : 1));
        const auto iteration = number("iteration");
        if (!iteration || !(*iteration >= 0) || !(*iteration < 1e15))
            return;
        const auto step = static_cast<std::int64_t>(*iteration);
        if (m_checkpoint.step && *m_checkpoint.step != step) {
            CheckpointWarning warning;
            warning.code = "replica-mismatch";
            warning.text = fmt::format(
                "{} states iteration {}, an earlier rank {}", rank, step, *m_checkpoint.step);
            m_checkpoint.warnings.push_back(std::move(warning));
        }
        if (!m_checkpoint.step)
            m_checkpoint.step = step;
    }

    Checkpoint& m_checkpoint;
    const CheckpointFolder& m_folder;
    JobContext& m_job;
    double m_expected = 0.0;
};

/// Files that at least one rank has, and that each should have.
void noteMissingFiles(Checkpoint& checkpoint, const std::vector<RankFolder>& ranks)
{
    std::set<std::string> all;
    for (const RankFolder& rank : ranks)
        all.insert(rank.files.begin(), rank.files.end());
    if (all.empty())
        all.insert(std::string(kFiles[0]));
    for (const RankFolder& rank : ranks) {
        for (const std::string& name : all) {
            if (std::find(rank.files.begin(), rank.files.end(), name) != rank.files.end())
                continue;
            const std::string path = fmt::format("{}/{}", rank.name, name);
            checkpoint.damage.push_back(
                {"missing-shard", path, fmt::format("the file {} is missing", path), false});
        }
    }
}

/// Ranks are numbered from 0 in each direction without a hole.
void noteMissingRanks(Checkpoint& checkpoint, const std::vector<RankFolder>& ranks)
{
    std::array<std::set<int>, 3> seen;
    std::array<int, 3> last{};
    std::set<std::string> names;
    for (const RankFolder& rank : ranks) {
        names.insert(rank.name);
        for (std::size_t i = 0; i < last.size(); ++i)
            last[i] = std::max(last[i], rank.rank.place[i]);
    }
    const std::int64_t whole = (std::int64_t{last[0]} + 1) * (last[1] + 1) * (last[2] + 1);
    if (whole > kMaxRanks)
        return;
    MegatronRank rank = ranks.front().rank;
    for (int t = 0; t <= last[0]; ++t) {
        for (int p = 0; p <= last[1]; ++p) {
            for (int e = 0; e <= last[2]; ++e) {
                rank.place = {t, p, e};
                const std::string name = rankFolderName(rank);
                if (names.count(name) == 0)
                    checkpoint.damage.push_back({"missing-shard", name,
                        fmt::format("the folder of rank {} is missing", name), false});
            }
        }
    }
}

}  // namespace

std::optional<MegatronRank> parseRankFolder(std::string_view name)
{
    if (!name.starts_with(kPrefix))
        return std::nullopt;
    name.remove_prefix(kPrefix.size());
    MegatronRank rank;
    rank.parts = 0;
    constexpr std::size_t kMaxDigits = 5;
    while (rank.parts < rank.place.size()) {
        const std::size_t end = std::min(name.find('_'), name.size());
        const std::string_view digits = name.substr(0, end);
        if (digits.empty() || digits.size() > kMaxDigits
            || !std::all_of(digits.begin(), digits.end(), isAsciiDigit))
            return std::nullopt;
        rank.place[rank.parts++] = static_cast<int>(parseInteger(digits).value_or(0));
        if (end == name.size())
            return rank;
        name.remove_prefix(end + 1);
    }
    return std::nullopt;
}

std::string rankFolderName(const MegatronRank& rank)
{
    std::string name = fmt::format("{}{:02}", kPrefix, rank.place[0]);
    for (std::size_t i = 1; i < rank.parts; ++i)
        name += fmt::format("_{:03}", rank.place[i]);
    return name;
}

Result<void> addMegatronRanks(Checkpoint& checkpoint, const CheckpointFolder& folder,
    const std::vector<std::string>& entries, JobContext& job)
{
    std::vector<RankFolder> ranks;
    for (const std::string& name : entries) {
        const auto rank = parseRankFolder(name);
        if (!rank)
            continue;
        RankFolder found{name, *rank, {}};
        const auto files = folder.list(name);
        for (const std::string_view known : kFiles) {
            if (std::binary_search(files.begin(), files.end(), known))
                found.files.emplace_back(known);
        }
        ranks.push_back(std::move(found));
    }
    if (ranks.empty())
        return {};
    noteMissingRanks(checkpoint, ranks);
    noteMissingFiles(checkpoint, ranks);
    RankAdder adder(checkpoint, folder, job);
    for (const RankFolder& rank : ranks) {
        if (auto added = adder.add(rank); !added)
            return added;
    }
    adder.compareCount(ranks.size());
    return {};
}

}  // namespace firstbad::core
