// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ledger/origin.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <fmt/format.h>
#include <map>
#include <tuple>

namespace firstbad::core {
namespace {

/// Where in a step: before the ranks are joined, in the joining itself, or after it.
enum class Side : std::uint8_t { Own, Reduce, After, Received };

/// What one rank says of the step, its earliest evidence.
struct Witness {
    std::size_t rank = 0;  // index into the group
    Side side = Side::Received;
    std::int64_t microStep = 0;
    std::size_t stage = kLedgerStages.size();  // size(): not named
    const LedgerBad* bad = nullptr;
    std::size_t row = 0;
    bool hasRow = false;
    std::string what;
};

Side sideOf(std::size_t stage)
{
    if (stage < *stageOrder("grad_reduced"))
        return Side::Own;
    return stage == *stageOrder("grad_reduced") ? Side::Reduce : Side::After;
}

// The ops of the block map (contracts.md 5) in their order, all families together.
constexpr std::array<std::string_view, 22> kOps{"ln_1", "norm_1", "ln_in", "attn.qkv", "attn.q",
    "attn.k", "attn.v", "attn.rope", "attn.q_scaled", "attn.scores", "attn.softmax", "attn.context",
    "attn.out", "residual_1", "ln_2", "norm_2", "ln_post", "mlp.gate", "mlp.up", "mlp.act",
    "mlp.out", "residual_2"};

std::size_t opOrder(const std::string& module)
{
    std::size_t best = kOps.size();
    for (std::size_t i = 0; i < kOps.size(); ++i) {
        if (module.size() >= kOps[i].size() && module.ends_with(kOps[i]))
            best = i;
    }
    return best;
}

/// Order of two witnesses of one replica: its ranks wait for each other in this order.
auto orderOf(const LedgerGroup& group, const Witness& witness)
{
    const bool backward = witness.stage == *stageOrder("backward");
    const std::int64_t sign = backward ? -1 : 1;
    const std::int64_t pipeline = group.ranks()[witness.rank]->header.ppRank.value_or(0) * sign;
    const std::int64_t block
        = witness.bad ? blockInModule(witness.bad->module).value_or(0) * sign : 0;
    const auto op = static_cast<std::int64_t>(witness.bad ? opOrder(witness.bad->module) : 0);
    return std::tuple(witness.microStep, witness.stage, pipeline, block, op * sign);
}

class Step
{
public:
    Step(const LedgerGroup& group, std::int64_t step)
        : m_group(group)
        , m_step(step)
    {
        for (std::size_t rank = 0; rank < group.ranks().size(); ++rank) {
            if (auto witness = witnessOf(rank))
                m_witnesses.push_back(std::move(*witness));
        }
    }

    [[nodiscard]] std::vector<const Witness*> on(Side side) const
    {
        std::vector<const Witness*> found;
        for (const Witness& witness : m_witnesses) {
            if (witness.side == side)
                found.push_back(&witness);
        }
        return found;
    }
    [[nodiscard]] const std::vector<Witness>& all() const { return m_witnesses; }

private:
    std::optional<Witness> witnessOf(std::size_t rank) const
    {
        const RankLedger& ledger = *m_group.ranks()[rank];
        std::optional<Witness> best;
        const auto consider = [&](Witness witness) {
            const auto key = [](const Witness& one) {
                return std::tuple(one.side, one.microStep, one.stage, one.bad == nullptr);
            };
            if (!best || key(witness) < key(*best))
                best = std::move(witness);
        };
        const auto [from, to] = m_group.keysOfStep(m_step);
        for (std::size_t key = from; key < to; ++key) {
            const auto row = m_group.rowOf(rank, key);
            if (row
                && std::binary_search(
                    ledger.marked.begin(), ledger.marked.end(), static_cast<std::uint32_t>(*row)))
                consider(fromRow(rank, ledger, *row));
        }
        for (const LedgerBad& bad : ledger.bads) {
            if (bad.step == m_step)
                consider(fromBad(rank, bad));
        }
        return best;
    }

    static Witness fromBad(std::size_t rank, const LedgerBad& bad)
    {
        Witness witness;
        witness.rank = rank;
        witness.bad = &bad;
        witness.microStep = bad.microStep;
        const auto stage = stageOrder(bad.stage);
        witness.stage = stage.value_or(kLedgerStages.size());
        witness.side = stage ? sideOf(*stage) : Side::Own;
        return witness;
    }

    static Witness fromRow(std::size_t rank, const RankLedger& ledger, std::size_t row)
    {
        Witness witness;
        witness.rank = rank;
        witness.row = row;
        witness.hasRow = true;
        witness.microStep = ledger.microStep(row);
        const auto loss = ledger.value(LedgerColumn::Loss, row);
        const auto norm = ledger.value(LedgerColumn::TotalGradNorm, row);
        const auto stage = ledger.value(LedgerColumn::Stage, row);
        const auto local = ledger.value(LedgerColumn::LocalBad, row);
        if (stage) {
            witness.stage = static_cast<std::size_t>(std::llround(*stage));
            // A rank that names a local stage but says that it is not bad repeats what it heard.
            const bool heard = local && *local == 0.0 && sideOf(witness.stage) == Side::Own;
            witness.side = heard ? Side::Received : sideOf(witness.stage);
            witness.what = fmt::format("stage {}", kLedgerStages[witness.stage]);
        } else if (loss && !isFinite(*loss)) {
            witness.side = Side::Own;
            witness.stage = *stageOrder("loss");
            witness.what = fmt::format("loss is {}", toString(classify(*loss)));
        } else if (local && *local != 0.0) {
            witness.side = Side::Own;
            witness.what = "local_bad is set";
        } else if (norm && !isFinite(*norm)) {
            witness.what = fmt::format("total_grad_norm is {}", toString(classify(*norm)));
        } else {
            witness.what = "flagged or skipped";
        }
        return witness;
    }

    const LedgerGroup& m_group;
    std::int64_t m_step;
    std::vector<Witness> m_witnesses;
};

/// The earliest of each replica; replicas are concurrent. Without dp_rank each rank is its own.
std::vector<const Witness*> earliestOfReplicas(
    const LedgerGroup& group, const std::vector<const Witness*>& witnesses)
{
    std::map<std::pair<bool, std::int64_t>, std::vector<const Witness*>> replicas;
    for (const Witness* witness : witnesses) {
        const LedgerHeader& header = group.ranks()[witness->rank]->header;
        auto& members = replicas[{header.dpRank.has_value(), header.dpRank.value_or(header.rank)}];
        if (!members.empty() && orderOf(group, *witness) < orderOf(group, *members.front()))
            members.clear();
        if (members.empty() || orderOf(group, *witness) == orderOf(group, *members.front()))
            members.push_back(witness);
    }
    std::vector<const Witness*> earliest;
    for (const auto& [key, members] : replicas)
        earliest.insert(earliest.end(), members.begin(), members.end());
    std::sort(earliest.begin(), earliest.end(),
        [](const Witness* a, const Witness* b) { return a->rank < b->rank; });
    return earliest;
}

FirstBad firstBadOf(const LedgerGroup& group, std::int64_t step, const Witness& witness)
{
    const RankLedger& ledger = *group.ranks()[witness.rank];
    FirstBad first;
    first.attempt = group.attempt();
    first.step = step;
    first.microStep = witness.microStep;
    first.rank = ledger.header.rank;
    first.path = ledger.path;
    if (witness.stage < kLedgerStages.size())
        first.stage = kLedgerStages.at(witness.stage);
    first.what = witness.what;
    if (witness.bad != nullptr) {
        first.evidence = *witness.bad;
        first.line = witness.bad->line;
        first.isFrozen = true;
    } else {
        first.line = static_cast<std::uint64_t>(
            ledger.value(LedgerColumn::Line, witness.row).value_or(0.0));
    }
    return first;
}

std::vector<std::int32_t> ranksOf(
    const LedgerGroup& group, const std::vector<const Witness*>& witnesses)
{
    std::vector<std::int32_t> ranks;
    for (const Witness* witness : witnesses)
        ranks.push_back(group.ranks()[witness->rank]->header.rank);
    return ranks;
}

/// Reached by it, or stopped before they could say anything of the step.
std::vector<std::int32_t> victimsOf(
    const LedgerGroup& group, const Step& step, std::int64_t number, const BadEvents& found)
{
    std::vector<std::int32_t> victims;
    for (std::size_t rank = 0; rank < group.ranks().size(); ++rank) {
        const RankLedger& ledger = *group.ranks()[rank];
        const bool reached = std::any_of(step.all().begin(), step.all().end(),
            [&](const Witness& witness) { return witness.rank == rank; });
        const auto last = LedgerGroup::lastStepOf(ledger);
        const bool finished = ledger.end && ledger.end->how == "finished";
        const bool stopped = !finished && (!last || *last < number);
        const bool isOrigin
            = std::binary_search(found.origins.begin(), found.origins.end(), ledger.header.rank);
        if (!isOrigin && (reached || stopped))
            victims.push_back(ledger.header.rank);
    }
    return victims;
}

const Witness* namedFirst(const std::vector<const Witness*>& witnesses)
{
    const auto named = std::find_if(witnesses.begin(), witnesses.end(),
        [](const Witness* witness) { return witness->bad != nullptr; });
    return named != witnesses.end() ? *named : witnesses.front();
}

}  // namespace

void findOrigin(const LedgerGroup& group, const BadEvent& event, BadEvents& found)
{
    const Step step(group, event.step);
    const auto own = earliestOfReplicas(group, step.on(Side::Own));
    const auto reduce = step.on(Side::Reduce);
    const auto after = step.on(Side::After);
    const auto received = step.on(Side::Received);
    const Witness* first = nullptr;
    bool isOne = true;
    if (!own.empty()) {
        first = own.front();
        found.origins = ranksOf(group, own);
    } else if (!reduce.empty()) {
        first = namedFirst(reduce);
        isOne = reduce.size() == 1;
        found.bornInReduce = true;
    } else if (!after.empty()) {
        // What all ranks see after the reduce tells nothing of where it came from.
        const auto earliest = earliestOfReplicas(group, after);
        first = namedFirst(earliest);
        isOne = earliest.size() < group.ranks().size() || group.ranks().size() == 1;
        if (isOne)
            found.origins = ranksOf(group, earliest);
    } else if (!received.empty()) {
        first = received.front();
        isOne = received.size() == 1;
    }
    if (first == nullptr)
        return;
    found.first = firstBadOf(group, event.step, *first);
    if (!isOne)
        found.first->rank.reset();
    found.first->isProbe = event.verdict == BadClass::Probe;
    found.victims = victimsOf(group, step, event.step, found);
}

}  // namespace firstbad::core
