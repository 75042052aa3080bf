// SPDX-License-Identifier: GPL-3.0-or-later
// The smallest sets of rows that still fail, then the places of their tokens.
#include "replay/engine/engine_parts.h"

#include <algorithm>
#include <fmt/format.h>
#include <map>
#include <numeric>

namespace firstbad::replay {

namespace {

using Rows = std::vector<std::int64_t>;

constexpr std::size_t kExhaustiveRows = 10;  // 1023 subsets

bool holdsAll(const Rows& whole, const Rows& part)
{
    return std::includes(whole.begin(), whole.end(), part.begin(), part.end());
}

class RowSearch
{
public:
    RowSearch(ReplayEngine::Parts& parts, Variation own, core::JobContext& job)
        : m_parts(parts)
        , m_own(std::move(own))
        , m_job(job)
    {
        for (const auto& batch : parts.context.batches) {
            for (std::int64_t i = 0; i < batch.rows(); ++i)
                m_all.push_back(static_cast<std::int64_t>(m_all.size()));
        }
    }

    [[nodiscard]] const Rows& all() const noexcept { return m_all; }

    [[nodiscard]] core::Result<std::optional<core::ReplayPlace>> firstBadOf(
        const Rows& rows, std::optional<std::int64_t> length = {})
    {
        Variation variation = m_own;
        variation.rows = rows;
        variation.length = length;
        const auto record = m_parts.run(variation, {}, m_job);
        if (!record)
            return tl::unexpected(record.error());
        return firstBad(m_parts.context, *record);
    }

    /// Every minimal failing set, by trying all subsets from small to large.
    [[nodiscard]] core::Result<std::vector<Rows>> exhaustive()
    {
        std::vector<Rows> found;
        for (std::size_t size = 1; size <= m_all.size(); ++size) {
            Rows picked(size);
            std::iota(picked.begin(), picked.end(), 0);
            do {
                const bool known = std::any_of(found.begin(), found.end(),
                    [&](const Rows& set) { return holdsAll(picked, set); });
                if (known)
                    continue;
                const auto bad = firstBadOf(picked);
                if (!bad)
                    return tl::unexpected(bad.error());
                if (*bad)
                    found.push_back(picked);
            } while (next(picked));
        }
        return found;
    }

    /// One minimal set by delta debugging.
    [[nodiscard]] core::Result<std::vector<Rows>> oneMinimal()
    {
        Rows rows = m_all;
        std::size_t parts = 2;
        while (rows.size() > 1) {
            const auto smaller = withoutOnePart(rows, parts);
            if (!smaller)
                return tl::unexpected(smaller.error());
            if (*smaller) {
                rows = std::move(**smaller);
                parts = std::max<std::size_t>(2, parts - 1);
            } else if (parts >= rows.size()) {
                break;
            } else {
                parts = std::min(rows.size(), parts * 2);
            }
            parts = std::min(parts, rows.size());
        }
        return std::vector<Rows>{rows};
    }

private:
    /// The next combination of the same size in lexicographic order.
    [[nodiscard]] bool next(Rows& picked) const
    {
        const auto count = static_cast<std::int64_t>(m_all.size());
        const auto size = static_cast<std::int64_t>(picked.size());
        for (std::int64_t i = size; i-- > 0;) {
            auto& place = picked[static_cast<std::size_t>(i)];
            if (place < count - size + i) {
                std::iota(picked.begin() + i, picked.end(), place + 1);
                return true;
            }
        }
        return false;
    }

    [[nodiscard]] core::Result<std::optional<Rows>> withoutOnePart(
        const Rows& rows, std::size_t parts)
    {
        for (std::size_t part = 0; part < parts; ++part) {
            const auto from = static_cast<std::ptrdiff_t>(rows.size() * part / parts);
            const auto to = static_cast<std::ptrdiff_t>(rows.size() * (part + 1) / parts);
            Rows rest(rows.begin(), rows.begin() + from);
            rest.insert(rest.end(), rows.begin() + to, rows.end());
            if (rest.empty())
                continue;
            const auto bad = firstBadOf(rest);
            if (!bad)
                return tl::unexpected(bad.error());
            if (*bad)
                return std::optional(rest);
        }
        return std::optional<Rows>();
    }

    ReplayEngine::Parts& m_parts;
    Variation m_own;
    core::JobContext& m_job;
    Rows m_all;
};

bool samePlace(const core::ReplayPlace& a, const core::ReplayPlace& b)
{
    return a.lane == b.lane && a.block == b.block && a.op == b.op && a.tensor == b.tensor;
}

/// Places 0 .. n-1 that are enough: the shortest beginning of the rows that fails alike.
core::Result<std::optional<Rows>> tokensOf(
    RowSearch& search, const Rows& rows, const core::ReplayPlace& place, std::int64_t length)
{
    std::int64_t enough = length;
    for (std::int64_t low = 1; low < enough;) {
        const auto middle = low + (enough - low) / 2;
        const auto bad = search.firstBadOf(rows, middle);
        if (!bad)
            return tl::unexpected(bad.error());
        if (*bad && samePlace(**bad, place))
            enough = middle;
        else
            low = middle + 1;
    }
    Rows tokens(static_cast<std::size_t>(enough));
    std::iota(tokens.begin(), tokens.end(), 0);
    return std::optional(tokens);
}

core::Result<void> describe(ReplayEngine::Parts& parts, RowSearch& search, core::IsolateResult& out)
{
    for (const auto row : search.all()) {
        auto alone = search.firstBadOf({row});
        if (!alone)
            return tl::unexpected(alone.error());
        out.alone.emplace(row, std::move(*alone));
    }
    if (out.minimalSets.empty())
        return {};
    const Rows& rows = out.minimalSets.front();
    const auto& ids = parts.context.capsule.sampleIds;
    for (const auto row : rows) {
        if (static_cast<std::size_t>(row) < ids.size())
            out.sampleIds.push_back(ids[static_cast<std::size_t>(row)]);
    }
    const auto bad = search.firstBadOf(rows);
    if (!bad)
        return tl::unexpected(bad.error());
    if (!*bad || parts.context.batches.size() != 1 || (*bad)->lane == "input")
        return {};
    auto tokens = tokensOf(search, rows, **bad, parts.context.batches.front().ids.size(1));
    if (!tokens)
        return tl::unexpected(tokens.error());
    out.tokens = std::move(*tokens);
    return {};
}

}  // namespace

core::Result<core::IsolateResult> ReplayEngine::isolate(
    const core::ReplayRequest& request, const EngineEvents& /*events*/, core::JobContext& job)
{
    job.setStage("rows", 0);
    RowSearch search(*m_parts, variationOf(request), job);
    core::IsolateResult out;
    const auto whole = search.firstBadOf(search.all());
    if (!whole)
        return tl::unexpected(whole.error());
    if (!*whole)
        return out;
    const bool few = search.all().size() <= kExhaustiveRows;
    auto sets = few ? search.exhaustive() : search.oneMinimal();
    if (!sets)
        return tl::unexpected(sets.error());
    out.minimalSets = std::move(*sets);
    out.unique = few && out.minimalSets.size() == 1;
    if (auto described = describe(*m_parts, search, out); !described)
        return tl::unexpected(described.error());
    return out;
}

}  // namespace firstbad::replay
