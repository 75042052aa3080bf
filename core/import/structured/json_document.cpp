// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/import/structured/json_document.h"

#include "core/base/number.h"
#include "core/import/structured/cell.h"

#include <algorithm>
#include <array>

namespace firstbad::core {
namespace {

constexpr std::size_t kMaxFacts = 1000;

// Keys whose arrays hold the records of one part of the run rather than of the run.
std::string_view groupOf(std::string_view key)
{
    constexpr std::array<std::string_view, 6> kParts{
        "train", "val", "valid", "validation", "eval", "test"};
    return std::find(kParts.begin(), kParts.end(), key) != kParts.end() ? key : std::string_view();
}

}  // namespace

bool JsonDocument::null()
{
    if (inRecord())
        return m_found->flat.null();
    scalar("null");
    return true;
}

bool JsonDocument::boolean(bool flag)
{
    if (inRecord())
        return m_found->flat.boolean(flag);
    scalar(flag ? "true" : "false");
    return true;
}

bool JsonDocument::number(std::string_view spelled)
{
    if (inRecord())
        return m_found->flat.number(spelled);
    scalar(spelled);
    return true;
}

bool JsonDocument::text(std::string_view content)
{
    if (inRecord())
        return m_found->flat.text(content);
    scalar(content);
    return true;
}

bool JsonDocument::key(std::string_view name)
{
    if (inRecord())
        return m_found->flat.key(name);
    m_levels.back().key = name;
    return true;
}

bool JsonDocument::beginObject()
{
    return open(false);
}
bool JsonDocument::endObject()
{
    return close();
}
bool JsonDocument::beginArray()
{
    return open(true);
}
bool JsonDocument::endArray()
{
    return close();
}

bool JsonDocument::open(bool isArray)
{
    m_rootIsArray = m_rootIsArray || (isArray && m_levels.empty());
    if (inRecord()) {
        ++m_recordLevels;
        return isArray ? m_found->flat.beginArray() : m_found->flat.beginObject();
    }
    const bool isRecord = !isArray && !m_levels.empty() && m_levels.back().isArray;
    if (isRecord) {
        startRecord();
        return true;
    }
    if (m_levels.size() == 1 && !m_levels[0].isArray) {
        m_facts.try_emplace(m_levels[0].key, "");
        m_stepping = {};
    }
    m_levels.push_back({isArray, {}, 0});
    return true;
}

bool JsonDocument::close()
{
    if (!inRecord()) {
        m_levels.pop_back();
        return true;
    }
    const bool kept = m_found->flat.endObject();
    if (--m_recordLevels == 0)
        endRecord();
    return kept;
}

void JsonDocument::startRecord()
{
    std::string_view group;
    if (m_levels.size() > 1)
        group = groupOf(m_levels[m_levels.size() - 2].key);
    m_found->flat.begin(group);
    m_recordLevels = 1;
    static_cast<void>(m_found->flat.beginObject());
}

void JsonDocument::endRecord()
{
    ++m_records;
    m_found->table.add(m_found->flat.record());
}

void JsonDocument::scalar(std::string_view content)
{
    if (m_levels.empty())
        return;
    Level& level = m_levels.back();
    const std::string& top = m_levels[0].key;
    if (m_levels[0].isArray)
        return;
    if (m_levels.size() == 1) {
        if (m_facts.size() < kMaxFacts)
            m_facts.try_emplace(top, content);
        return;
    }
    const std::int64_t index = level.isArray ? level.index++ : -1;
    if (m_levels.size() == 3 && m_levels[1].key == "values") {
        const std::int64_t step = m_stepping.start + index * m_stepping.interval;
        const auto named = level.isArray ? std::optional(step) : parseInteger(level.key);
        if (named)
            measure(top, *named, content);
        return;
    }
    if (m_levels.size() != 2)
        return;
    if (level.key == "start_step")
        m_stepping.start = parseInteger(content).value_or(1);
    else if (level.key == "step_interval")
        m_stepping.interval = parseInteger(content).value_or(1);
    else if (const auto row = level.isArray ? std::optional(index) : parseInteger(level.key))
        m_columns[top].emplace(*row, content);
}

void JsonDocument::measure(std::string_view name, std::int64_t step, std::string_view content)
{
    ++m_golden;
    RecordSink& sink = m_found->sink;
    const Cell cell = readCell(content);
    const CellPlace place{name, 0, 0};
    if (cell.kind == CellKind::Text) {
        reportUnreadable(sink, content, place);
        return;
    }
    const ColumnHandle handle = sink.column(name);
    if (cell.kind == CellKind::Missing) {
        sink.raw(handle).points.addMissing(step);
        return;
    }
    sink.addPoint(handle, step, cell.value, kNoTime, 0);
    if (cell.overflowed)
        noteOverflow(sink, content, place);
}

// {"step": [1, 2], "loss": [2.5, 2.4]}, or the same with {"0": ..., "1": ...} as pandas writes it.
bool JsonDocument::writeColumns()
{
    const std::map<std::int64_t, std::string>* steps = nullptr;
    bool measured = false;
    for (const auto& [name, rows] : m_columns) {
        if (stepName(name) && steps == nullptr)
            steps = &rows;
        measured = measured || (rows.size() > 1 && quantityFromName(name) != Quantity::Other);
    }
    if (!measured)
        return false;
    for (const auto& [name, rows] : m_columns) {
        if (&rows == steps)
            continue;
        for (const auto& [row, content] : rows) {
            std::optional<std::int64_t> step = row + 1;
            if (steps != nullptr) {
                const auto found = steps->find(row);
                step = found == steps->end() ? std::nullopt : parseInteger(found->second);
            }
            if (step)
                measure(name, *step, content);
        }
    }
    return m_golden > 0;
}

bool JsonDocument::finish()
{
    const bool isState = m_facts.count("log_history") != 0;
    if (m_records > 0 && (m_rootIsArray || isState || m_found->table.looksLikeALog()))
        m_found->table.finish();
    if (m_golden == 0 && m_found->sink.records() == 0)
        static_cast<void>(writeColumns());
    if (m_golden > 0)
        m_found->sink.data().info.records += m_golden;
    return isState || m_found->sink.records() > 0;
}

void JsonDocument::restart()
{
    m_found = std::make_unique<Found>(m_options);
    m_levels.clear();
    m_recordLevels = 0;
    m_records = 0;
    m_golden = 0;
    m_rootIsArray = false;
    m_stepping = {};
    m_facts.clear();
    m_columns.clear();
}

}  // namespace firstbad::core
