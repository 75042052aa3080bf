// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/import/structured/record_table.h"

#include "core/base/compare.h"
#include "core/base/number.h"
#include "core/base/text.h"
#include "core/import/structured/cell.h"
#include "core/import/structured/record_event.h"

#include <cmath>
#include <set>

namespace firstbad::core {
namespace {

constexpr std::size_t kHeld = 256;
constexpr std::size_t kMaxHeldMissing = 1'000'000;

std::optional<std::int64_t> wholeNumber(double value) noexcept
{
    constexpr double kExact = 9007199254740992.0;
    if (!within(value, 0.0, kExact) || !within(std::trunc(value), value, 0.0))
        return std::nullopt;
    return static_cast<std::int64_t>(value);
}

bool isMeasure(std::string_view name)
{
    return quantityFromName(name) != Quantity::Other || containsIgnoringCase(name, "loss")
        || namesEvaluation(lastPart(name));
}

}  // namespace

RecordTable::Meaning& RecordTable::meaning(std::uint32_t node)
{
    if (node >= m_meanings.size())
        m_meanings.resize(node + 1U);
    Meaning& what = m_meanings[node];
    if (what.known)
        return what;
    what.known = true;
    const std::string& name = m_names.name(node);
    what.step = m_nameMap.namesAStep() ? std::nullopt : stepName(name);
    if (const auto forced = m_nameMap.role(name)) {
        what.role = *forced;
        if (*forced == ColumnRole::Step)
            what.step = StepName{-1, StepAxis::Step};
    } else if (namesRank(name)) {
        what.role = ColumnRole::Rank;
    } else if (namesTime(name)) {
        what.isTime = true;
    } else if (namesBookkeeping(name)) {
        what.role = ColumnRole::Ignored;
    }
    what.isTime = what.isTime || what.role == ColumnRole::Time;
    what.isEvaluation = namesEvaluation(name);
    return what;
}

void RecordTable::add(const JsonRecord& record)
{
    if (m_decided) {
        write(record);
        return;
    }
    m_held.push_back(record);
    if (m_held.size() == kHeld) {
        chooseStep();
        writeHeld();
    }
}

void RecordTable::finish()
{
    if (!m_decided) {
        chooseStep();
        writeHeld();
    }
}

bool RecordTable::looksLikeALog()
{
    if (m_decided)
        return m_sink.records() > 0;
    for (const JsonRecord& record : m_held) {
        for (const JsonLeaf& leaf : record.leaves) {
            const std::string& name = m_names.name(leaf.node);
            if (leaf.kind == LeafKind::Number && (stepName(name) || isMeasure(name)))
                return true;
        }
    }
    return false;
}

// The name that is in most records is the step; of several in all of them the best known one.
void RecordTable::chooseStep()
{
    m_decided = true;
    std::map<int, std::pair<std::size_t, StepAxis>> counts;
    std::set<std::int32_t> ranks;
    for (const JsonRecord& record : m_held) {
        std::set<int> here;
        for (const JsonLeaf& leaf : record.leaves) {
            const Meaning& what = meaning(leaf.node);
            if (what.step && stepOf(record, leaf) && here.insert(what.step->order).second) {
                counts[what.step->order].second = what.step->axis;
                ++counts[what.step->order].first;
            }
            if (what.role == ColumnRole::Rank && leaf.integer)
                ranks.insert(static_cast<std::int32_t>(*leaf.integer));
        }
    }
    m_severalRanks = ranks.size() > 1;
    std::size_t most = 0;
    for (const auto& [order, count] : counts) {
        if (count.first > most) {
            most = count.first;
            m_stepOrder = order;
            m_axis = count.second;
        }
    }
}

void RecordTable::writeHeld()
{
    const std::vector<JsonRecord> held = std::move(m_held);
    m_held.clear();
    for (const JsonRecord& record : held)
        write(record);
}

std::optional<std::int64_t> RecordTable::stepOf(
    const JsonRecord& record, const JsonLeaf& leaf) const
{
    if (leaf.integer)
        return leaf.integer;
    if (leaf.kind == LeafKind::Text)
        return parseInteger(record.text(leaf));
    return leaf.kind == LeafKind::Number ? wholeNumber(leaf.value) : std::nullopt;
}

void RecordTable::readAxis(
    const JsonRecord& record, const JsonLeaf& leaf, Meaning& what, Header& header)
{
    if (what.step && m_stepOrder == what.step->order && !header.step) {
        header.step = stepOf(record, leaf);
    } else if (what.role == ColumnRole::Rank && leaf.integer) {
        header.rank = static_cast<std::int32_t>(*leaf.integer);
    } else if ((what.isTime || m_names.name(leaf.node) == "_timestamp") && !isFinite(header.time)) {
        const auto seconds = leaf.kind == LeafKind::Text ? secondsFromClock(record.text(leaf))
                                                         : secondsFromClock(leaf.value);
        header.time = seconds.value_or(kNoTime);
    }
}

RecordTable::Header RecordTable::readHeader(const JsonRecord& record)
{
    Header header;
    for (const JsonLeaf& leaf : record.leaves) {
        Meaning& what = meaning(leaf.node);
        readAxis(record, leaf, what, header);
        const bool isAxis
            = what.role != ColumnRole::Value || what.isTime || (what.step && what.step->order < 70);
        if (isAxis || leaf.kind == LeafKind::Text)
            continue;
        const std::string& name = m_names.name(leaf.node);
        ++header.numbers;
        header.onlyEvaluation = header.onlyEvaluation && what.isEvaluation;
        header.measured = header.measured || isMeasure(name);
    }
    return header;
}

void RecordTable::write(const JsonRecord& record)
{
    Header header = readHeader(record);
    if (header.rank) {
        if (!m_firstRank)
            m_firstRank = header.rank;
        m_severalRanks = m_severalRanks || *header.rank != *m_firstRank;
    }
    if (!m_stepOrder && !header.step)
        header.step = ++m_row;
    if ((!header.step && !header.measured)
        || (header.step && !hasValues(record, m_stepOrder ? 1 : 0))) {
        RecordContext context{header.step, header.rank, header.time};
        addRecordEvent(m_sink, record, m_names, context);
        return;
    }
    const bool watch = header.step && !(header.onlyEvaluation && header.numbers > 0)
        && (!header.rank || *header.rank == *m_firstRank);
    if (!header.step)
        header.step = m_lastStep.value_or(0);
    m_lastStep = header.step;
    m_sink.beginRecord(*header.step, header.time, record.line, watch);
    if (!writeLongForm(record, header))
        writeValues(record, header);
}

void RecordTable::writeValues(const JsonRecord& record, const Header& header)
{
    for (const JsonLeaf& leaf : record.leaves) {
        const Meaning& what = m_meanings[leaf.node];
        const bool isStep = what.step && what.step->order != 70 && m_stepOrder;
        const bool isChosen = what.step && m_stepOrder == what.step->order;
        if (what.role != ColumnRole::Value || isStep || isChosen)
            continue;
        if (what.isTime
            && (leaf.kind == LeafKind::Text || secondsFromClock(leaf.value).has_value()))
            continue;
        writeLeaf(record, leaf, header);
    }
}

void RecordTable::writeLeaf(const JsonRecord& record, const JsonLeaf& leaf, const Header& header)
{
    Meaning& what = m_meanings[leaf.node];
    Cell cell;
    if (leaf.kind == LeafKind::Text && !namesIdentity(m_names.name(leaf.node)))
        cell = readCell(record.text(leaf));
    else if (leaf.kind == LeafKind::Text)
        return;
    else if (leaf.kind != LeafKind::Missing)
        cell = {CellKind::Number, leaf.overflowed, leaf.value, record.text(leaf)};
    const CellPlace place{m_names.name(leaf.node), record.line, record.offset};
    if (cell.kind == CellKind::Text) {
        if (what.isNumeric)
            reportUnreadable(m_sink, cell.text, place);
        return;
    }
    if (cell.kind == CellKind::Missing && !what.isNumeric) {
        if (what.pendingMissing.size() < kMaxHeldMissing)
            what.pendingMissing.push_back(*header.step);
        return;
    }
    const ColumnHandle handle = column(leaf.node, what, header.rank);
    if (cell.kind == CellKind::Missing) {
        m_sink.addMissing(handle);
        return;
    }
    m_sink.add(handle, cell.value);
    if (cell.overflowed)
        noteOverflow(m_sink, cell.text, place);
}

ColumnHandle RecordTable::column(
    std::uint32_t node, Meaning& what, std::optional<std::int32_t> rank)
{
    const bool perRank = rank && m_severalRanks;
    if (perRank) {
        if (const auto found = what.ofRank.find(*rank); found != what.ofRank.end())
            return found->second;
    } else if (what.plain) {
        return *what.plain;
    }
    const std::string& name = m_names.name(node);
    const ColumnHandle made = perRank ? m_sink.column(name, RankId{*rank}) : m_sink.column(name);
    RawColumn& raw = m_sink.raw(made);
    raw.axis = m_stepOrder ? m_axis : StepAxis::Step;
    for (const std::int64_t step : what.pendingMissing)
        raw.points.addMissing(step);
    what.pendingMissing.clear();
    what.isNumeric = true;
    if (perRank)
        what.ofRank.emplace(*rank, made);
    else
        what.plain = made;
    return made;
}

// {"key": "loss", "value": 2.5, "step": 7}: one record a measurement.
bool RecordTable::writeLongForm(const JsonRecord& record, const Header& header)
{
    const JsonLeaf* name = nullptr;
    const JsonLeaf* value = nullptr;
    for (const JsonLeaf& leaf : record.leaves) {
        const std::string& path = m_names.name(leaf.node);
        if (leaf.kind == LeafKind::Text
            && (path == "key" || path == "metric" || path == "tag" || path == "name"
                || path == "metric_name"))
            name = &leaf;
        else if (path == "value" && leaf.kind != LeafKind::Boolean)
            value = &leaf;
    }
    if (name == nullptr || value == nullptr)
        return false;
    const ColumnHandle handle = m_sink.column(record.text(*name));
    const Cell cell = value->kind == LeafKind::Text
        ? readCell(record.text(*value))
        : Cell{value->kind == LeafKind::Number ? CellKind::Number : CellKind::Missing,
            value->overflowed, value->value, record.text(*value)};
    const CellPlace place{record.text(*name), record.line, record.offset};
    if (cell.kind == CellKind::Number)
        m_sink.add(handle, cell.value);
    else if (cell.kind == CellKind::Missing)
        m_sink.addMissing(handle);
    else
        reportUnreadable(m_sink, cell.text, place);
    if (cell.overflowed)
        noteOverflow(m_sink, cell.text, place);
    return header.step.has_value();
}

}  // namespace firstbad::core
