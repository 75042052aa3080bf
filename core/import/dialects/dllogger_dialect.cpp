// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/import/dialects/dllogger_dialect.h"

#include "core/base/time.h"
#include "core/import/dialects/epoch_step.h"
#include "core/import/dialects/json_fields.h"
#include "core/import/dialects/pair_line_reader.h"

namespace firstbad::core {
namespace {

constexpr std::array kJsonRules{
    NameRule{"train_throughput", Quantity::Throughput, "samples/s"},
    NameRule{"train_took", Quantity::StepTime, "s"},
};

constexpr std::array kTextRules{
    NameRule{"average_loss", Quantity::Other, "", true},
    NameRule{"step_loss", Quantity::Loss},
};

void addConfig(
    std::string_view name, std::string_view value, const TextLine& line, RecordSink& sink)
{
    LogEvent event = makeEvent(EventKind::ConfigValue, line);
    event.text = eventText(name);
    event.path = eventText(value);
    sink.addEvent(std::move(event));
}

class DlllReader : public LineReader
{
public:
    LineVerdict read(const TextLine& line, RecordSink& sink) override
    {
        LineScanner scan(line.text);
        if (!scan.take("DLLL "))
            return LineVerdict::NotMine;
        if (!m_cutter.cut(scan.rest(), m_json)) {
            reportTornLine(line, sink);
            return LineVerdict::Damaged;
        }
        const JsonField* type = findJsonField(m_json, "type");
        if (type == nullptr || type->text != "LOG")
            return LineVerdict::Taken;
        TextLine timed = line;
        timed.unterminated = false;  // the closing brace proves that it is whole
        const JsonField* stamp = findJsonField(m_json, "timestamp");
        if (const auto time = stamp ? parseNumber(stamp->text) : std::nullopt;
            time && isFinite(time->value))
            timed.time = time->value;
        readData(timed, sink);
        return LineVerdict::Taken;
    }

private:
    // "step" is [epoch, iteration, iterations an epoch], shorter for means, "PARAMETER" for
    // settings; epochs count from 1.
    std::optional<RecordHead> head()
    {
        std::array<std::optional<std::int64_t>, 3> part;
        for (std::size_t i = 0; i < part.size(); ++i) {
            constexpr std::array<std::string_view, 3> kNames{"step[0]", "step[1]", "step[2]"};
            if (const JsonField* found = findJsonField(m_json, kNames.at(i)))
                part.at(i) = parseInteger(found->text);
        }
        if (!part[0])
            return std::nullopt;
        m_perEpoch = part[2] ? *part[2] : m_perEpoch;
        if (!part[1]) {
            const auto end = stepOfEpoch(*part[0], m_perEpoch, 0);
            return end ? std::optional(RecordHead{*end, 1, false}) : std::nullopt;
        }
        const auto step = stepOfEpoch(*part[0] - 1, m_perEpoch, *part[1]);
        return step ? std::optional(RecordHead{*step}) : std::nullopt;
    }

    void readData(const TextLine& line, RecordSink& sink)
    {
        constexpr std::string_view kData = "data.";
        const auto at = head();
        PairFields& fields = m_recorder.emptyFields();
        for (const JsonField& field : m_json) {
            const std::string_view name = field.name;
            if (name.substr(0, kData.size()) != kData)
                continue;
            if (at)
                fields.push_back({name.substr(kData.size()), field.text});
            else
                addConfig(name.substr(kData.size()), field.text, line, sink);
        }
        if (at)
            static_cast<void>(m_recorder.record(line, *at, fields, sink));
    }

    PairRecorder m_recorder{kJsonRules};
    JsonFieldCutter m_cutter;
    std::vector<JsonField> m_json;
    std::int64_t m_perEpoch = 0;
};

// "Training Epoch: 0 Training Iteration: 1787  average_loss : 2.35  step_loss : 3.14 "
std::optional<PairLineHead> textHead(std::string_view line)
{
    LineScanner scan(line);
    if (!scan.jumpBehind("Training Epoch: ") || !scan.takeCounter()
        || !scan.take(" Training Iteration: "))
        return std::nullopt;
    const auto step = scan.takeCounter();
    if (!step || !scan.take("  "))
        return std::nullopt;
    return PairLineHead{{*step}, scan.rest()};
}

class DllTextReader : public PairLineReader
{
public:
    DllTextReader()
        : PairLineReader({&textHead, &cutSpacedFields, kTextRules})
    { }

    LineVerdict read(const TextLine& line, RecordSink& sink) override
    {
        TextLine timed = line;
        LineScanner scan(line.text);
        if (scan.take("DLL ")) {
            if (const auto time = parseTimePrefix(scan.rest()))
                timed.time = time->seconds;
        }
        const LineVerdict verdict = PairLineReader::read(timed, sink);
        if (verdict != LineVerdict::NotMine || !scan.jumpBehind("PARAMETER "))
            return verdict;
        const auto name = scan.takeUntil(" : ");
        if (!name)
            return LineVerdict::NotMine;
        if (*name == "checkpoint_step") {
            sink.addEvent(makeEvent(EventKind::Save, timed, scan.takeCounter()));
            return LineVerdict::Taken;
        }
        addConfig(*name, trimmed(scan.rest()), timed, sink);
        return LineVerdict::Taken;
    }
};

int scoreDlll(std::string_view line)
{
    return line.substr(0, 6) == "DLLL {" ? 100 : 0;
}

int scoreText(std::string_view line)
{
    return textHead(line) ? 95 : 0;
}

std::unique_ptr<LineReader> makeDlll()
{
    return std::make_unique<DlllReader>();
}

std::unique_ptr<LineReader> makeText()
{
    return std::make_unique<DllTextReader>();
}

}  // namespace

LineDialect dlllDialect() noexcept
{
    return {"dllogger", "NVIDIA DLLogger, JSON form", DialectRole::Primary, &scoreDlll, &makeDlll};
}

LineDialect dllTextDialect() noexcept
{
    return {
        "dllogger-text", "NVIDIA DLLogger, text form", DialectRole::Primary, &scoreText, &makeText};
}

}  // namespace firstbad::core
