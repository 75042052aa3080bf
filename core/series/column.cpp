// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/series/column.h"

#include "core/base/assert.h"

#include <algorithm>

namespace firstbad::core {

double Column::timeAt(std::size_t point) const noexcept
{
    return point < times.size() ? times[point] : kNoTime;
}

std::optional<std::uint32_t> Column::lineAt(std::size_t point) const noexcept
{
    if (point >= lines.size() || lines[point] == 0)
        return std::nullopt;
    return lines[point];
}

std::optional<std::uint32_t> Column::sourceAt(std::size_t point) const noexcept
{
    const auto after = std::find_if(sources.begin(), sources.end(),
        [point](const SourceSpan& span) { return span.firstPoint > point; });
    if (after == sources.begin())
        return std::nullopt;
    return std::prev(after)->source;
}

void ColumnSummary::append(const ColumnSummary& next)
{
    counts.finite += next.counts.finite;
    counts.nan += next.counts.nan;
    counts.posInf += next.counts.posInf;
    counts.negInf += next.counts.negInf;
    missing += next.missing;
    sumFinite += next.sumFinite;
    if (next.min)
        min = min ? std::min(*min, *next.min) : *next.min;
    if (next.max)
        max = max ? std::max(*max, *next.max) : *next.max;
    if (!firstStep)
        firstStep = next.firstStep;
    if (next.lastStep)
        lastStep = next.lastStep;
    if (!firstNonfiniteStep)
        firstNonfiniteStep = next.firstNonfiniteStep;
}

ColumnSummary summarise(const Column& column)
{
    ColumnSummary summary;
    summary.missing = column.missingSteps.size();
    double sum = 0.0;
    double carry = 0.0;  // Neumaier's compensation; only finite values enter
    for (std::size_t i = 0; i < column.size(); ++i) {
        const double value = column.values[i];
        const ValueKind kind = classify(value);
        summary.counts.add(kind);
        if (kind != ValueKind::Finite) {
            if (!summary.firstNonfiniteStep)
                summary.firstNonfiniteStep = column.steps[i];
            continue;
        }
        const double next = sum + value;
        const double large = std::max(sum < 0 ? -sum : sum, value < 0 ? -value : value);
        const bool sumIsLarge = large == (sum < 0 ? -sum : sum);
        const double lost = sumIsLarge ? (sum - next) + value : (value - next) + sum;
        carry += isFinite(lost) ? lost : 0.0;
        sum = next;
        summary.min = summary.min ? std::min(*summary.min, value) : value;
        summary.max = summary.max ? std::max(*summary.max, value) : value;
    }
    summary.sumFinite = sum + carry;
    if (!column.steps.empty()) {
        summary.firstStep = column.steps.front();
        summary.lastStep = column.steps.back();
    }
    return summary;
}

void ColumnBuilder::add(std::int64_t step, double value, double time, std::uint32_t line)
{
    if (m_size % kBlock == 0)
        m_blocks.emplace_back();
    Block& block = m_blocks.back();
    block.steps.push_back(step);
    block.values.push_back(value);
    if (isFinite(time)) {
        m_hasTimes = true;
        block.times.resize(block.steps.size() - 1, kNoTime);
        block.times.push_back(time);
    } else if (!block.times.empty()) {
        block.times.push_back(kNoTime);
    }
    if (line != 0) {
        m_hasLines = true;
        block.lines.resize(block.steps.size() - 1, 0);
        block.lines.push_back(line);
    } else if (!block.lines.empty()) {
        block.lines.push_back(0);
    }
    ++m_size;
}

std::int64_t ColumnBuilder::stepAt(std::size_t point) const noexcept
{
    return m_blocks[point / kBlock].steps[point % kBlock];
}

double ColumnBuilder::valueAt(std::size_t point) const noexcept
{
    return m_blocks[point / kBlock].values[point % kBlock];
}

double ColumnBuilder::timeAt(std::size_t point) const noexcept
{
    const Block& block = m_blocks[point / kBlock];
    return point % kBlock < block.times.size() ? block.times[point % kBlock] : kNoTime;
}

namespace {

/// Appends source[from, to) to target, filling with `blank` where the source has no such entry.
template <class T>
void appendRange(
    std::vector<T>& target, const std::vector<T>& source, std::size_t from, std::size_t to, T blank)
{
    const std::size_t have = std::min(to, source.size());
    if (from < have) {
        target.insert(target.end(), source.begin() + static_cast<std::ptrdiff_t>(from),
            source.begin() + static_cast<std::ptrdiff_t>(have));
    }
    target.resize(target.size() + (to - std::max(from, std::min(have, to))), blank);
}

}  // namespace

Column ColumnBuilder::slice(
    std::size_t from, std::size_t to, std::size_t missingFrom, std::size_t missingTo) const
{
    FB_ASSERT(from <= to && to <= m_size);
    FB_ASSERT(missingFrom <= missingTo && missingTo <= m_missingSteps.size());
    Column column;
    column.steps.reserve(to - from);
    column.values.reserve(to - from);
    if (m_hasTimes)
        column.times.reserve(to - from);
    if (m_hasLines)
        column.lines.reserve(to - from);
    for (std::size_t at = from; at < to;) {
        const Block& block = m_blocks[at / kBlock];
        const std::size_t begin = at % kBlock;
        const std::size_t end = std::min(kBlock, begin + (to - at));
        appendRange(column.steps, block.steps, begin, end, std::int64_t{0});
        appendRange(column.values, block.values, begin, end, kNoTime);
        if (m_hasTimes)
            appendRange(column.times, block.times, begin, end, kNoTime);
        if (m_hasLines)
            appendRange(column.lines, block.lines, begin, end, std::uint32_t{0});
        at += end - begin;
    }
    column.missingSteps.assign(m_missingSteps.begin() + static_cast<std::ptrdiff_t>(missingFrom),
        m_missingSteps.begin() + static_cast<std::ptrdiff_t>(missingTo));
    return column;
}

Column ColumnBuilder::takeAll()
{
    Column column;
    column.steps.reserve(m_size);
    column.values.reserve(m_size);
    if (m_hasTimes)
        column.times.reserve(m_size);
    if (m_hasLines)
        column.lines.reserve(m_size);
    for (Block& block : m_blocks) {
        const std::size_t count = block.steps.size();
        appendRange(column.steps, block.steps, 0, count, std::int64_t{0});
        appendRange(column.values, block.values, 0, count, kNoTime);
        if (m_hasTimes)
            appendRange(column.times, block.times, 0, count, kNoTime);
        if (m_hasLines)
            appendRange(column.lines, block.lines, 0, count, std::uint32_t{0});
        block = Block{};
    }
    column.missingSteps = std::move(m_missingSteps);
    *this = ColumnBuilder{};
    return column;
}

}  // namespace firstbad::core
