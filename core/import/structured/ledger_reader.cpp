// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/import/structured/ledger_reader.h"

#include "core/base/text.h"
#include "core/base/time.h"
#include "core/import/structured/cell.h"
#include "core/import/structured/column_roles.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <fmt/format.h>

namespace firstbad::core {
namespace {

constexpr std::size_t kMaxText = 400;

bool isSampleId(std::string_view name)
{
    return name.substr(0, 10) == "sample_ids";
}

/// Identities and axes of a step line; everything else that is a number is a series.
bool isNoSeries(std::string_view name)
{
    constexpr std::array<std::string_view, 6> kNames{
        "step", "time", "prev", "kind", "shard_id", "firstbad_ledger"};
    return std::find(kNames.begin(), kNames.end(), name) != kNames.end() || isSampleId(name);
}

/// Equal for equal ids, and exact as a double.
double fingerprintOf(std::string_view ids)
{
    constexpr std::size_t kDigits = 12;  // 48 bits
    const std::string hex = sha256Hex(ids).substr(0, kDigits);
    std::uint64_t number = 0;
    std::from_chars(hex.data(), hex.data() + hex.size(), number, 16);
    return static_cast<double>(number);
}

EventKind endKind(std::string_view how)
{
    if (how == "finished")
        return EventKind::Finished;
    return how == "signal" ? EventKind::Signal : EventKind::Exception;
}

std::string shortened(std::string_view text)
{
    return toValidUtf8(text.substr(0, kMaxText));
}

}  // namespace

/// The fields of a line by name, over the flattened record.
struct LedgerReader::Fields {
    const JsonRecord& record;
    const JsonFlattener& names;

    [[nodiscard]] const JsonLeaf* find(std::string_view name) const
    {
        for (const JsonLeaf& leaf : record.leaves) {
            if (names.name(leaf.node) == name)
                return &leaf;
        }
        return nullptr;
    }
    [[nodiscard]] std::string_view text(std::string_view name) const
    {
        const JsonLeaf* const leaf = find(name);
        return leaf != nullptr && leaf->kind == LeafKind::Text ? record.text(*leaf)
                                                               : std::string_view();
    }
    [[nodiscard]] std::optional<std::int64_t> integer(std::string_view name) const
    {
        const JsonLeaf* const leaf = find(name);
        return leaf != nullptr ? leaf->integer : std::nullopt;
    }
    [[nodiscard]] double time(std::string_view name) const
    {
        return secondsFromClock(text(name)).value_or(kNoTime);
    }
};

void LedgerReader::add(const LedgerLine& line)
{
    const LedgerLineState state = m_ledger.add(line);
    m_flat.begin();
    if (state == LedgerLineState::Damaged || !m_reader.read(line.bytes, m_flat))
        return;
    take(line, {m_flat.record(), m_flat}, state == LedgerLineState::Contradiction);
}

void LedgerReader::take(const LedgerLine& line, const Fields& fields, bool contradicts)
{
    const std::string_view kind = fields.text("kind");
    if (kind == "header")
        takeHeader(line, fields);
    else if (kind == "step")
        takeStep(line, fields);
    else if (kind == "bad")
        takeBad(line, fields, contradicts);
    else
        takeEvent(line, fields, kind);
}

void LedgerReader::takeHeader(const LedgerLine& line, const Fields& fields)
{
    m_namesRank = fields.integer("world_size").value_or(1) > 1;
    if (const auto rank = fields.integer("rank"))
        m_rank = RankId{static_cast<std::int32_t>(*rank)};
    SourceData& data = m_sink.data();
    if (!m_hasHeader) {
        data.runId = fields.text("run_id");
        data.stream = fmt::format("rank {}", m_rank ? m_rank->value : 0);
        data.orderHint = static_cast<double>(fields.integer("attempt").value_or(0));
        if (const auto attempt = fields.integer("attempt"))
            data.attemptId = std::to_string(*attempt);
        if (const std::string_view precision = fields.text("precision"); !precision.empty())
            data.traits.precision = std::string(precision);
    }
    m_hasHeader = true;
    LogEvent start = event(line, fields, EventKind::RunStart);
    const double time = fields.time("started");
    if (isFinite(time))
        start.time = time;
    m_sink.addBreak(fmt::format("attempt {} begins", fields.integer("attempt").value_or(0)),
        std::nullopt, time);
    m_sink.addEvent(std::move(start));
    if (const std::string_view parent = fields.text("checkpoint_parent"); !parent.empty()) {
        LogEvent load = event(line, fields, EventKind::Load);
        load.text = "the header names this checkpoint as the parent";
        load.path = toValidUtf8(parent);
        m_sink.addEvent(std::move(load));
    }
}

void LedgerReader::takeStep(const LedgerLine& line, const Fields& fields)
{
    const auto step = fields.integer("step");
    if (!step)
        return;
    m_sink.beginRecord(*step, fields.time("time"), line.number);
    std::string samples;
    for (const JsonLeaf& leaf : fields.record.leaves) {
        const std::string& name = m_flat.name(leaf.node);
        if (isSampleId(name) && leaf.kind != LeafKind::Missing)
            samples += (leaf.integer ? std::to_string(*leaf.integer)
                                     : std::string(fields.record.text(leaf)))
                + '\n';
        if (isNoSeries(name))
            continue;
        Cell cell{CellKind::Number, leaf.overflowed, leaf.value, fields.record.text(leaf)};
        if (leaf.kind == LeafKind::Text) {
            // Only "NaN" and the infinities are numbers as text; hashes may look like "1e5".
            cell = readCell(fields.record.text(leaf));
            if (cell.kind != CellKind::Number || isFinite(cell.value) || cell.overflowed)
                continue;
        } else if (leaf.kind == LeafKind::Missing)
            cell.kind = CellKind::Missing;
        // A null says "missing" of a series only; of the texts of a ledger it says nothing.
        const bool known = m_columns.count(leaf.node) != 0
            || quantityFromName(name) != Quantity::Other || name.substr(0, 10) == "loss_scale";
        if (cell.kind == CellKind::Number) {
            m_sink.add(column(leaf.node), cell.value);
            if (cell.overflowed)
                noteOverflow(m_sink, cell.text, {name, line.number, line.offset});
        } else if (cell.kind == CellKind::Missing && known) {
            m_sink.addMissing(column(leaf.node));
        }
    }
    if (!samples.empty())
        m_sink.add(sampleColumn(), fingerprintOf(samples));
}

void LedgerReader::takeBad(const LedgerLine& line, const Fields& fields, bool contradicts)
{
    LogEvent bad = event(line, fields, contradicts ? EventKind::Note : EventKind::BadEvidence);
    bad.path = toValidUtf8(fields.text("tensor"));
    m_sink.addEvent(std::move(bad));
}

void LedgerReader::takeEvent(const LedgerLine& line, const Fields& fields, std::string_view kind)
{
    LogEvent made = event(line, fields, EventKind::Note);
    made.path = toValidUtf8(fields.text("path"));
    if (kind == "decision")
        made.kind = EventKind::Decision;
    else if (kind == "checkpoint")
        made.kind = EventKind::Save;
    else if (kind == "capsule")
        made.kind = EventKind::CapsuleSaved;
    else if (kind == "end")
        made.kind = endKind(fields.text("how"));
    else if (kind == "wait")
        made.kind = EventKind::RankEvent;
    if (kind == "decision")
        made.text = shortened(fmt::format("{} scope={} reason={}", fields.text("action"),
            fields.text("scope"), fields.text("reason")));
    else if (kind == "end")
        made.text = shortened(fmt::format("{} {}", fields.text("how"), fields.text("message")));
    else if (kind == "note")
        made.text = shortened(fields.text("text"));
    m_sink.addEvent(std::move(made));
}

LogEvent LedgerReader::event(const LedgerLine& line, const Fields& fields, EventKind kind) const
{
    LogEvent made;
    made.kind = kind;
    made.step = fields.integer("step");
    if (m_rank)
        made.rank = m_rank->value;
    if (const double time = fields.time("time"); isFinite(time))
        made.time = time;
    made.text = shortened(trimmed(line.bytes));
    made.line = line.number;
    made.offset = line.offset;
    return made;
}

ColumnHandle LedgerReader::column(std::uint32_t node)
{
    const auto found = m_columns.find(node);
    if (found != m_columns.end())
        return found->second;
    const std::string& name = m_flat.name(node);
    const ColumnHandle made
        = m_namesRank && m_rank ? m_sink.column(name, m_rank) : m_sink.column(name);
    m_columns.emplace(node, made);
    return made;
}

ColumnHandle LedgerReader::sampleColumn()
{
    if (!m_samples) {
        m_samples = m_namesRank && m_rank ? m_sink.column("sample_ids", m_rank)
                                          : m_sink.column("sample_ids");
        m_sink.raw(*m_samples).unit = "fingerprint";
    }
    return *m_samples;
}

void LedgerReader::finish(const std::string& path)
{
    RankLedger ledger = m_ledger.take();
    ledger.path = path;
    for (const LedgerDamage& damage : ledger.damage)
        m_sink.addSkipped({damage.code, damage.reason, damage.offset, damage.length, damage.line,
            damage.mayBeGrowing});
    m_sink.data().ledger = std::make_shared<const RankLedger>(std::move(ledger));
}

}  // namespace firstbad::core
