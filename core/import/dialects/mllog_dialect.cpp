// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/import/dialects/mllog_dialect.h"

#include "core/import/dialects/json_fields.h"
#include "core/import/dialects/line_scanner.h"
#include "core/import/dialects/pair_recorder.h"

#include <unordered_set>

namespace firstbad::core {
namespace {

constexpr std::string_view kMark = ":::MLLOG ";
// every rank repeats the configuration; a benchmark has some dozens of values
constexpr std::size_t kMaxConfigValues = 1000;

constexpr std::array kRules{
    NameRule{"throughput", Quantity::Throughput, "samples/s"},
    NameRule{"tracked_stats.throughput", Quantity::Throughput, "samples/s"},
    NameRule{"tracked_stats.train_step_timing", Quantity::StepTime, "s"},
    NameRule{"tracked_stats.time", Quantity::StepTime, "s"},
};

struct Clock {
    std::string_view name;
    bool isTraining;  // evaluation values come by epoch or sample count
};

constexpr std::array kClocks{
    Clock{"metadata.step_num", true},
    Clock{"metadata.step", true},
    Clock{"metadata.iteration", true},
    Clock{"metadata.samples_count", false},
    Clock{"metadata.epoch_num", false},
    Clock{"metadata.epoch_count", false},
};

std::string_view textOf(const std::vector<JsonField>& fields, std::string_view name)
{
    const JsonField* found = findJsonField(fields, name);
    return found != nullptr ? std::string_view(found->text) : std::string_view{};
}

std::optional<RecordHead> headOf(const std::vector<JsonField>& fields)
{
    for (const Clock& clock : kClocks) {
        if (const auto step = parseInteger(textOf(fields, clock.name)))
            return RecordHead{*step, 0, clock.isTraining};
    }
    return std::nullopt;
}

class MllogReader : public LineReader
{
public:
    LineVerdict read(const TextLine& line, RecordSink& sink) override
    {
        LineScanner scan(line.text);
        if (!scan.jumpBehind(kMark))
            return LineVerdict::NotMine;
        if (!m_cutter.cut(scan.rest(), m_json)) {
            reportTornLine(line, sink);
            return LineVerdict::Damaged;
        }
        TextLine timed = line;
        timed.unterminated = false;  // the closing brace proves that it is whole
        if (const auto ms = parseNumber(textOf(m_json, "time_ms")); ms && isFinite(ms->value))
            timed.time = ms->value / 1000.0;
        const std::string_view key = textOf(m_json, "key");
        if (key == "run_start" || key == "run_stop")
            readRun(key == "run_start", timed, sink);
        else
            readValues(key, timed, sink);
        return LineVerdict::Taken;
    }

private:
    // Every rank may write these; one start and one end count.
    void readRun(bool start, const TextLine& line, RecordSink& sink)
    {
        if (start == m_running)
            return;
        m_running = start;
        if (start) {
            if (sink.records() > 0)
                sink.addBreak("run_start", std::nullopt, line.time);
            sink.addEvent(makeEvent(EventKind::RunStart, line));
            return;
        }
        const std::string_view status = textOf(m_json, "metadata.status");
        if (status == "success")
            sink.addEvent(makeEvent(EventKind::Finished, line));
        else if (!status.empty())
            sink.addEvent(makeEvent(EventKind::Aborted, line));
    }

    void readValues(std::string_view key, const TextLine& line, RecordSink& sink)
    {
        const auto head = headOf(m_json);
        PairFields& fields = m_recorder.emptyFields();
        m_names.clear();
        m_names.reserve(m_json.size());
        for (const JsonField& field : m_json) {
            const std::string_view name = field.name;
            // starts and stops of intervals carry null
            if (name.substr(0, 5) != "value" || (name.size() > 5 && name[5] != '.')
                || (!field.isString && field.text == "null"))
                continue;
            m_names.push_back(std::string(key).append(name.substr(5)));
            fields.push_back({m_names.back(), field.text});
        }
        if (!head)
            readConfig(fields, line, sink);
        else
            static_cast<void>(m_recorder.record(line, *head, fields, sink));
    }

    void readConfig(const PairFields& fields, const TextLine& line, RecordSink& sink)
    {
        for (const PairField& field : fields) {
            if (m_config.size() >= kMaxConfigValues
                || !m_config.insert(std::string(field.name)).second)
                continue;
            LogEvent event = makeEvent(EventKind::ConfigValue, line);
            event.text = eventText(field.name);
            event.path = eventText(field.value);
            sink.addEvent(std::move(event));
        }
    }

    PairRecorder m_recorder{kRules};
    JsonFieldCutter m_cutter;
    std::vector<JsonField> m_json;
    std::vector<std::string> m_names;
    std::unordered_set<std::string> m_config;
    bool m_running = false;
};

int score(std::string_view line)
{
    return line.find(":::MLLOG {\"") != std::string_view::npos ? 100 : 0;
}

std::unique_ptr<LineReader> make()
{
    return std::make_unique<MllogReader>();
}

}  // namespace

LineDialect mllogDialect() noexcept
{
    return {"mllog", "MLPerf logging", DialectRole::Primary, &score, &make};
}

}  // namespace firstbad::core
