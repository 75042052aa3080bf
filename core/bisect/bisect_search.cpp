// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/bisect/bisect_search.h"

#include "core/bisect/loci.h"

#include <algorithm>

namespace firstbad::core {

std::string_view toString(ProbeVerdict verdict) noexcept
{
    switch (verdict) {
    case ProbeVerdict::Good:
        return "good";
    case ProbeVerdict::Bad:
        return "bad";
    case ProbeVerdict::Skip:
        return "skip";
    }
    return "skip";
}

std::optional<ProbeVerdict> probeVerdictFrom(std::string_view word) noexcept
{
    for (const auto verdict : {ProbeVerdict::Good, ProbeVerdict::Bad, ProbeVerdict::Skip}) {
        if (toString(verdict) == word)
            return verdict;
    }
    return std::nullopt;
}

std::string_view toString(BisectState state) noexcept
{
    switch (state) {
    case BisectState::Blocks:
        return "blocks";
    case BisectState::Ops:
        return "ops";
    case BisectState::Found:
        return "found";
    case BisectState::Clean:
        return "clean";
    case BisectState::Stuck:
        return "stuck";
    }
    return "stuck";
}

BisectSearch::BisectSearch(BisectScope scope)
    : m_scope(std::move(scope))
{
    for (std::int64_t block = -1; block <= m_scope.blocks; ++block)
        m_order.push_back(block);
    if (m_scope.lane == "backward")
        std::reverse(m_order.begin(), m_order.end());
    for (const std::int64_t block : m_order)
        m_boundaries.push_back(boundaryOf(block, m_scope.blocks));
    update();
}

std::vector<std::string> BisectSearch::opLoci(std::int64_t block) const
{
    std::vector<std::string> loci;
    for (const auto op : opsOf(m_scope.family, block, m_scope.blocks))
        loci.push_back(locusOf(block, op, m_scope.blocks));
    if (m_scope.lane == "backward")
        std::reverse(loci.begin(), loci.end());
    return loci;
}

bool BisectSearch::knows(std::string_view probe) const
{
    if (std::find(m_boundaries.begin(), m_boundaries.end(), probe) != m_boundaries.end())
        return true;
    return std::any_of(m_order.begin(), m_order.end(), [&](std::int64_t block) {
        const auto loci = opLoci(block);
        return std::find(loci.begin(), loci.end(), probe) != loci.end();
    });
}

void BisectSearch::mark(const std::string& probe, ProbeVerdict verdict)
{
    m_verdicts[probe] = verdict;
    update();
}

/// The interval that the verdicts on `probes` leave. The first probe asked for is the last one,
/// unless it is known to be bad.
BisectSearch::Narrowed BisectSearch::narrow(const std::vector<std::string>& probes, bool endIsBad)
{
    const auto last = static_cast<std::int64_t>(probes.size()) - 1;
    Narrowed left;
    std::vector<std::int64_t> skipped;
    for (std::int64_t i = 0; i <= last; ++i) {
        const auto found = m_verdicts.find(probes[static_cast<std::size_t>(i)]);
        if (found == m_verdicts.end())
            continue;
        if (found->second == ProbeVerdict::Skip)
            skipped.push_back(i);
        else if (found->second == ProbeVerdict::Bad && !left.bad)
            left.bad = i;
        else if (found->second == ProbeVerdict::Good && left.bad)
            m_monotone = false;
        else if (found->second == ProbeVerdict::Good)
            left.good = i;
    }
    if (!left.bad && endIsBad)
        left.bad = last;
    if (!left.bad) {
        if (left.good < last)
            left.next = last;
        return left;
    }
    const std::int64_t middle = (left.good + *left.bad) / 2;
    for (std::int64_t i = left.good + 1; i < *left.bad; ++i) {
        const bool isSkipped = std::find(skipped.begin(), skipped.end(), i) != skipped.end();
        if (!isSkipped && (!left.next || std::abs(i - middle) < std::abs(*left.next - middle)))
            left.next = i;
    }
    return left;
}

void BisectSearch::update()
{
    m_monotone = true;
    m_next.clear();
    m_from.clear();
    m_to.clear();
    const Narrowed left = narrow(m_boundaries, false);
    const auto nameOf
        = [&](std::int64_t index) { return m_boundaries[static_cast<std::size_t>(index)]; };
    if (left.good >= 0)
        m_from = nameOf(left.good);
    if (left.bad)
        m_to = nameOf(*left.bad);
    if (left.next) {
        const auto asked = m_verdicts.find(nameOf(*left.next));
        // The end itself was skipped: nothing says that there is a fault.
        m_state = asked != m_verdicts.end() ? BisectState::Stuck : BisectState::Blocks;
        if (m_state == BisectState::Blocks)
            m_next = nameOf(*left.next);
    } else if (!left.bad) {
        m_state = BisectState::Clean;
    } else if (*left.bad - left.good > 1) {
        m_state = BisectState::Stuck;
    } else {
        enterBlock(*left.bad);
    }
}

void BisectSearch::enterBlock(std::int64_t boundary)
{
    m_block = m_order[static_cast<std::size_t>(boundary)];
    const auto loci = opLoci(m_block);
    const Narrowed left = narrow(loci, true);
    if (left.good >= 0)
        m_from = loci[static_cast<std::size_t>(left.good)];
    if (loci.empty()) {
        m_state = BisectState::Stuck;
        return;
    }
    m_to = loci[static_cast<std::size_t>(*left.bad)];
    if (left.next) {
        m_state = BisectState::Ops;
        m_next = loci[static_cast<std::size_t>(*left.next)];
    } else {
        m_state = *left.bad - left.good > 1 ? BisectState::Stuck : BisectState::Found;
    }
}

std::optional<BisectPlace> BisectSearch::place() const
{
    if (m_state != BisectState::Found)
        return std::nullopt;
    const std::string prefix = locusOf(m_block, "", m_scope.blocks);
    return BisectPlace{m_block, m_to.substr(prefix.size()), m_to};
}

}  // namespace firstbad::core
