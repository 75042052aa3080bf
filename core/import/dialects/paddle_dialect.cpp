// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/import/dialects/paddle_dialect.h"

#include "core/import/dialects/pair_line_reader.h"

namespace firstbad::core {
namespace {

constexpr std::array kRules{
    NameRule{"loss", Quantity::Loss},
    NameRule{"interval_runtime", Quantity::StepTime, "s"},
    NameRule{"interval_samples_per_second", Quantity::Throughput, "samples/s"},
    NameRule{"interval_steps_per_second", Quantity::Throughput, "steps/s"},
    NameRule{"speed", Quantity::Throughput, "steps/s"},
    NameRule{"time", Quantity::StepTime, "s"},
};

// The step stands among the fields of a PaddleNLP line.
std::optional<PairLineHead> head(std::string_view line)
{
    LineScanner scan(line);
    if (line.substr(0, 6) != "loss: " || !scan.jumpBehind(", global_step: "))
        return std::nullopt;
    const auto step = scan.takeCounter();
    return step ? std::optional(PairLineHead{{*step}, line}) : std::nullopt;
}

void cut(std::string_view text, PairFields& fields)
{
    cutFields(text, ", ", ':', fields);
}

// "[train][1] progress: 1/1 step: 100, time: 6.0, speed: 16.4 steps/s"
std::optional<PairLineHead> knoverHead(std::string_view line)
{
    LineScanner scan(line);
    if (!scan.take("[train][") || !scan.takeCounter() || !scan.take("] progress: "))
        return std::nullopt;
    const auto step = scan.jumpBehind(" step: ") ? scan.takeCounter() : std::nullopt;
    if (!step)
        return std::nullopt;
    scan.take(", ");
    return PairLineHead{{*step}, scan.rest()};
}

// The lines that follow give the rest of the record.
class KnoverReader : public PairLineReader
{
public:
    KnoverReader()
        : PairLineReader({&knoverHead, &cut, kRules})
    { }

    LineVerdict read(const TextLine& line, RecordSink& sink) override
    {
        const LineVerdict verdict = PairLineReader::read(line, sink);
        if (verdict != LineVerdict::NotMine) {
            m_open = verdict == LineVerdict::Taken;
            return verdict;
        }
        const std::string_view text = trimmed(line.text);
        const bool more = text.substr(0, 12) == "current lr: " || text.find("loss: ") <= 12;
        if (!m_open || !more) {
            m_open = false;
            return LineVerdict::NotMine;
        }
        if (line.unterminated) {
            reportTornLine(line, sink);
            return LineVerdict::Damaged;
        }
        PairFields& fields = recorder().emptyFields();
        cut(text, fields);
        for (const PairField& field : fields)
            recorder().addValue(field.name, readFieldValue(field.value), sink);
        return LineVerdict::Taken;
    }

private:
    bool m_open = false;
};

int score(std::string_view line)
{
    return head(line) ? 98 : 0;
}

int scoreKnover(std::string_view line)
{
    return knoverHead(line) ? 98 : 0;
}

std::unique_ptr<LineReader> make()
{
    return std::make_unique<PairLineReader>(PairLineSpec{&head, &cut, kRules});
}

std::unique_ptr<LineReader> makeKnover()
{
    return std::make_unique<KnoverReader>();
}

}  // namespace

LineDialect paddleDialect() noexcept
{
    return {"paddlenlp", "PaddleNLP console", DialectRole::Primary, &score, &make};
}

LineDialect knoverDialect() noexcept
{
    return {"knover", "Knover console", DialectRole::Primary, &scoreKnover, &makeKnover};
}

}  // namespace firstbad::core
