// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/import/structured/csv_table.h"

#include "core/base/compare.h"
#include "core/base/number.h"
#include "core/base/text.h"

#include <cmath>
#include <fmt/format.h>

namespace firstbad::core {
namespace {

constexpr std::size_t kHeld = 200;
constexpr std::size_t kMaxOpen = std::size_t{1} << 20U;
constexpr std::size_t kMaxHeldBytes = std::size_t{8} << 20U;
constexpr double kExact = 9007199254740992.0;  // 2^53

bool endsWith(std::string_view text, std::string_view end) noexcept
{
    return text.size() >= end.size() && text.substr(text.size() - end.size()) == end;
}

/// W&B's buckets and their like: no series of their own for a user.
bool isBound(std::string_view name) noexcept
{
    return endsWith(name, "__MIN") || endsWith(name, "__MAX");
}

std::optional<std::int64_t> wholeNumber(std::string_view text, char decimal)
{
    if (const auto whole = parseInteger(text))
        return whole;
    const Cell cell = readCell(text, decimal);
    if (cell.kind != CellKind::Number || !within(cell.value, 0.0, kExact)
        || !within(std::trunc(cell.value), cell.value, 0.0))
        return std::nullopt;
    return static_cast<std::int64_t>(cell.value);
}

}  // namespace

void CsvTable::add(const CsvLine& line)
{
    if (m_open.empty()) {
        if (m_row.split(line.text, m_shape ? m_shape->delimiter : ',')) {
            addRow(line);
            return;
        }
        m_open.assign(line.text);
        m_openAt = line;
        return;
    }
    m_open += '\n';
    m_open += line.text;
    m_openAt.unterminated = line.unterminated;
    const bool closed = m_row.split(m_open, m_shape ? m_shape->delimiter : ',');
    if (!closed && m_open.size() < kMaxOpen)
        return;
    const std::string whole = std::move(m_open);
    m_open.clear();
    m_openAt.text = whole;
    if (closed)
        addRow(m_openAt);
    else
        skip(m_openAt, "open-quote", "A quoted cell is never closed.");
}

void CsvTable::addRow(const CsvLine& line)
{
    if (m_decided) {
        write(line);
        return;
    }
    m_held.push_back({std::string(line.text), line});
    m_heldBytes += line.text.size();
    if (m_held.size() == kHeld || m_heldBytes > kMaxHeldBytes)
        decide();
}

void CsvTable::finish()
{
    if (!m_open.empty()) {
        const std::string whole = std::move(m_open);
        m_open.clear();
        m_openAt.text = whole;
        skip(m_openAt, "open-quote", "A quoted cell is not closed at the end of the file.");
    }
    if (!m_decided)
        decide();
}

void CsvTable::decide()
{
    m_decided = true;
    std::vector<std::string> lines;
    for (const HeldLine& held : m_held) {
        if (!held.text.empty())
            lines.push_back(held.text);
    }
    if (!lines.empty() && m_held.back().place.unterminated && lines.size() > 2)
        lines.pop_back();  // perhaps torn
    m_shape = guessCsvShape(lines);
    if (!m_shape)
        return;
    std::vector<std::vector<std::string>> sample;
    for (std::size_t i = m_shape->firstData; i < lines.size(); ++i) {
        static_cast<void>(m_row.split(lines[i], m_shape->delimiter));
        sample.emplace_back(m_row.cells().begin(), m_row.cells().end());
    }
    assignRoles(sample);
    chooseStep(sample);
    std::size_t seen = 0;
    const std::vector<HeldLine> held = std::move(m_held);
    for (const HeldLine& each : held) {
        if (each.text.empty() || seen++ < m_shape->firstData)
            continue;
        CsvLine line = each.place;
        line.text = each.text;
        static_cast<void>(m_row.split(line.text, m_shape->delimiter));
        write(line);
    }
}

void CsvTable::assignRoles(const std::vector<std::vector<std::string>>& sample)
{
    for (std::size_t i = 0; i < m_shape->names.size(); ++i) {
        TableColumn& column = m_columns.emplace_back();
        column.name = m_shape->names[i];
        std::size_t numbers = 0;
        std::size_t words = 0;
        std::size_t clocks = 0;
        for (const auto& row : sample) {
            if (i >= row.size())
                continue;
            const CellKind kind = readCell(row[i], m_shape->decimal).kind;
            numbers += kind == CellKind::Number ? 1U : 0U;
            words += kind == CellKind::Text ? 1U : 0U;
            clocks += secondsFromClock(std::string_view(row[i])).has_value() ? 1U : 0U;
        }
        const bool isIndex
            = m_shape->hasHeader && (column.name.empty() || column.name.substr(0, 8) == "Unnamed:");
        column.isNumeric = numbers > 0 && numbers >= words;
        if (const auto forced = m_nameMap.role(column.name))
            column.role = *forced;
        else if (namesTime(column.name) && clocks > 0 && clocks >= numbers / 2)
            column.role = ColumnRole::Time;
        else if (isIndex || words > numbers || namesBookkeeping(column.name))
            column.role = ColumnRole::Ignored;
        if (column.role == ColumnRole::Time && !m_time)
            m_time = i;
    }
}

void CsvTable::chooseStep(const std::vector<std::vector<std::string>>& sample)
{
    int best = 1000;
    for (std::size_t i = 0; i < m_columns.size(); ++i) {
        const TableColumn& column = m_columns[i];
        const auto named = stepName(column.name);
        std::size_t whole = 0;
        for (const auto& row : sample)
            whole += i < row.size() && wholeNumber(row[i], m_shape->decimal) ? 1U : 0U;
        // The index that pandas writes, and rising whole numbers in front, serve when nothing does.
        int order = named ? named->order : 1000;
        if (!named && i == 0 && whole == sample.size() && whole > 2
            && quantityFromName(column.name) == Quantity::Other)
            order = 100;
        if (column.role == ColumnRole::Step)
            order = -1;
        else if (m_nameMap.namesAStep() || whole * 2 < sample.size())
            continue;
        if (order < best) {
            best = order;
            m_step = i;
            m_axis = named && order >= 0 ? named->axis : StepAxis::Step;
        }
    }
    if (m_fileName.substr(0, 14) == "Train_Samples_")  // DeepSpeed's CSV monitor
        m_axis = StepAxis::Samples;
    if (m_step)
        m_columns[*m_step].role = ColumnRole::Step;
}

bool CsvTable::fitsShape(const CsvLine& line)
{
    const std::size_t width = m_row.cells().size();
    if (width == m_columns.size())
        return true;
    if (line.unterminated)
        skip(line, "torn-line", "The last line has too few cells; its values may be cut.");
    else
        skip(line, "ragged-row",
            fmt::format("The row has {} cells, the header {}.", width, m_columns.size()));
    return false;
}

void CsvTable::write(const CsvLine& line)
{
    if (line.text.empty() || isRemark(line.text) || !fitsShape(line))
        return;
    const auto& cells = m_row.cells();
    if (m_shape->hasHeader && cells[0] == m_shape->names[0]
        && cells.back() == m_shape->names.back()) {
        m_sink.addBreak("the header of the table is repeated", std::nullopt, kNoTime);
        return;
    }
    const auto step = readStep(line);
    if (!step)
        return;
    m_sink.beginRecord(*step, readTime(), line.number);
    for (std::size_t i = 0; i < cells.size(); ++i) {
        if (m_columns[i].role == ColumnRole::Value)
            writeCell(i, cells[i], line);
    }
}

std::optional<std::int64_t> CsvTable::readStep(const CsvLine& line)
{
    ++m_rowNumber;
    if (!m_step)
        return m_rowNumber;
    const std::string_view text = m_row.cells()[*m_step];
    const auto step = wholeNumber(text, m_shape->decimal);
    if (!step)
        skip(line, "unreadable-step",
            fmt::format("\"{}\" in column \"{}\" is no step number; the row was left out.",
                toValidUtf8(text.substr(0, 60)), m_columns[*m_step].name));
    return step;
}

double CsvTable::readTime() const
{
    return m_time ? secondsFromClock(m_row.cells()[*m_time]).value_or(kNoTime) : kNoTime;
}

void CsvTable::writeCell(std::size_t index, std::string_view text, const CsvLine& line)
{
    TableColumn& column = m_columns[index];
    // The common case first: a plain decimal that fills its cell.
    if (column.handle && m_shape->decimal == '.') {
        const auto number = parseNumberPrefix(text);
        if (number && number->length == text.size() && !number->overflowed) {
            m_sink.add(*column.handle, number->value);
            return;
        }
    }
    const Cell cell = readCell(text, m_shape->decimal);
    const CellPlace place{column.name, line.number, line.offset};
    switch (cell.kind) {
    case CellKind::Missing:
        if (column.handle)
            m_sink.addMissing(*column.handle);
        else
            column.pendingMissing.push_back(m_sink.step());
        return;
    case CellKind::Text:
        reportUnreadable(m_sink, cell.text, place);
        return;
    case CellKind::Number:
        m_sink.add(this->column(column, index), cell.value);
        if (cell.overflowed)
            noteOverflow(m_sink, cell.text, place);
        return;
    }
}

ColumnHandle CsvTable::column(TableColumn& column, std::size_t index)
{
    if (column.handle)
        return *column.handle;
    column.handle = m_sink.column(column.name);
    RawColumn& raw = m_sink.raw(*column.handle);
    raw.axis = m_axis;
    if (isBound(column.name))
        raw.quantity = Quantity::Other;
    else if (const std::size_t tag = m_fileName.find("-tag-");
             column.name == "Value" && tag != std::string::npos)  // TensorBoard's download
        raw.quantity
            = quantityFromName(m_fileName.substr(tag + 5, m_fileName.rfind('.') - tag - 5));
    if (index < m_shape->units.size() && raw.unit.empty() && m_shape->units[index] != "-")
        raw.unit = m_shape->units[index];
    for (const std::int64_t step : column.pendingMissing)
        raw.points.addMissing(step);
    column.pendingMissing = {};
    return *column.handle;
}

void CsvTable::skip(const CsvLine& line, const char* code, std::string reason)
{
    SkippedPart part;
    part.code = code;
    part.reason = std::move(reason);
    part.line = line.number;
    part.offset = line.offset;
    part.length = line.text.size();
    part.mayBeGrowing = line.unterminated;
    m_sink.addSkipped(std::move(part));
}

}  // namespace firstbad::core
