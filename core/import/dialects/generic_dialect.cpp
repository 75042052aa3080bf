// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/import/dialects/generic_dialect.h"

#include "core/base/text.h"
#include "core/import/text/column_cache.h"
#include "core/import/text/fields.h"

#include <algorithm>
#include <array>

namespace firstbad::core {
namespace {

constexpr int kScore = 10;  // far below any framework's own dialect
constexpr std::size_t kMaxNameBytes = 120;

/// Numbers that say who speaks, not how the training goes.
bool namesSpeaker(std::string_view name) noexcept
{
    constexpr std::array<std::string_view, 9> kNames{
        "rank", "local_rank", "global_rank", "device", "gpu", "node", "pid", "port", "line"};
    return std::any_of(kNames.begin(), kNames.end(),
        [&](std::string_view known) { return equalsIgnoringCase(known, name); });
}

/// "loss", "grad norm", "tok/s"; not "<-- ckpt from", "Namespace(seed" or a sentence.
bool isPlainName(std::string_view name) noexcept
{
    constexpr std::ptrdiff_t kMaxBlanks = 6;
    const auto opened = std::count(name.begin(), name.end(), '(');
    const auto closed = std::count(name.begin(), name.end(), ')');
    const char first = name.front();
    const bool word = isAsciiAlpha(first) || isAsciiDigit(first) || first == '_'
        || static_cast<signed char>(first) < 0;
    return word && opened == closed && std::count(name.begin(), name.end(), ' ') <= kMaxBlanks;
}

bool isSeriesField(const Field& field) noexcept
{
    return field.isNumber && isPlainName(field.name) && field.name.size() <= kMaxNameBytes
        && !isStepName(field.name) && !namesSpeaker(field.name);
}

/// "Namespace(local_rank=0, steps=200, ...)": how a program was started, no record.
bool isArgumentDump(std::string_view line) noexcept
{
    return line.find("Namespace(") != std::string_view::npos;
}

class GenericReader final : public LineReader
{
public:
    LineVerdict read(const TextLine& line, RecordSink& sink) override
    {
        const auto fields = m_splitter.split(line.text);
        const Field* const step = findStepField(fields);
        if (step == nullptr || isArgumentDump(line.text)
            || std::none_of(fields.begin(), fields.end(), isSeriesField))
            return LineVerdict::NotMine;
        sink.beginRecord(static_cast<std::int64_t>(step->number), line.time, line.number);
        m_columns.beginRecord();
        for (const Field& field : fields) {
            if (isSeriesField(field))
                sink.add(m_columns.column(field.name, sink), field.number);
        }
        return LineVerdict::Taken;
    }

private:
    FieldSplitter m_splitter;
    ColumnCache m_columns;
};

}  // namespace

int scoreGenericLine(std::string_view line)
{
    FieldSplitter splitter;
    const auto fields = splitter.split(line);
    const bool record = findStepField(fields) != nullptr && !isArgumentDump(line)
        && std::any_of(fields.begin(), fields.end(), isSeriesField);
    return record ? kScore : 0;
}

std::unique_ptr<LineReader> makeGenericReader()
{
    return std::make_unique<GenericReader>();
}

}  // namespace firstbad::core
