// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/import/dialects/rwkv_dialect.h"

#include "core/base/time.h"
#include "core/import/dialects/line_scanner.h"
#include "core/import/dialects/pair_recorder.h"

namespace firstbad::core {
namespace {

constexpr std::array kRules{
    NameRule{"loss", Quantity::Loss},
};
constexpr std::array<std::string_view, 3> kNames{"loss", "ppl", "lr"};

struct Row {
    std::int64_t epoch = 0;
    double time = kNoTime;
    bool whole = false;
    std::array<std::string_view, kNames.size()> values;
};

// "3 2.345678 10.4400 0.00060000 2031-02-03 04:05:06.123456 3"
std::optional<Row> rowOf(std::string_view line)
{
    LineScanner scan(line);
    Row row;
    if (line.empty() || !isAsciiDigit(line.front()))
        return std::nullopt;
    const auto epoch = scan.takeCounter();
    if (!epoch || !scan.take(" "))
        return std::nullopt;
    row.epoch = *epoch;
    for (std::string_view& value : row.values) {
        const auto word = scan.takeUntil(" ");
        if (!word || !parseNumber(*word))
            return std::nullopt;
        value = *word;
    }
    const auto time = parseTimePrefix(scan.rest());
    if (!time)
        return std::nullopt;
    row.time = time->seconds;
    LineScanner tail(scan.rest().substr(time->length));
    row.whole = tail.take(" ") && tail.takeCounter().has_value();
    return row;
}

class RwkvReader : public LineReader
{
public:
    LineVerdict read(const TextLine& line, RecordSink& sink) override
    {
        if (line.text.substr(0, 8) == "NEW RUN ") {
            sink.addBreak("NEW RUN", std::nullopt, line.time);
            sink.addEvent(makeEvent(EventKind::RunStart, line));
            return LineVerdict::Taken;
        }
        const auto row = rowOf(line.text);
        if (!row)
            return LineVerdict::NotMine;
        if (!row->whole) {
            reportTornLine(line, sink);
            return LineVerdict::Damaged;
        }
        TextLine timed = line;
        timed.time = row->time;
        PairFields& fields = m_recorder.emptyFields();
        for (std::size_t i = 0; i < kNames.size(); ++i)
            fields.push_back({kNames.at(i), row->values.at(i)});
        timed.unterminated = false;  // the epoch at its end proves that it is whole
        return m_recorder.record(timed, {row->epoch}, fields, sink);
    }

private:
    PairRecorder m_recorder{kRules};
};

int score(std::string_view line)
{
    const auto row = rowOf(line);
    return (row && row->whole) || line.substr(0, 10) == "NEW RUN 20" ? 95 : 0;
}

std::unique_ptr<LineReader> make()
{
    return std::make_unique<RwkvReader>();
}

}  // namespace

LineDialect rwkvDialect() noexcept
{
    return {"rwkv", "RWKV train_log.txt", DialectRole::Primary, &score, &make};
}

}  // namespace firstbad::core
