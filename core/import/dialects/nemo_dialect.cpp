// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/import/dialects/nemo_dialect.h"

#include "core/import/dialects/bar_record.h"
#include "core/import/dialects/pair_line_reader.h"

namespace firstbad::core {
namespace {

constexpr std::array kRules{
    NameRule{"reduced_train_loss", Quantity::Loss},
    NameRule{"train_step_timing in s", Quantity::StepTime, "s"},
    NameRule{"global_step", Quantity::Other},
};

std::optional<std::int64_t> barStep(const TextLine& line)
{
    LineScanner scan(line.text);
    if (line.text.find("reduced_train_loss=") == std::string_view::npos
        || !scan.jumpBehind("global_step="))
        return std::nullopt;
    return scan.takeCounter();
}

// "Training epoch 0, iteration 119/999 | lr: 1e-05 | global_step: 119 | ..."
std::optional<PairLineHead> lineHead(std::string_view line)
{
    LineScanner scan(line);
    if (!scan.take("Training epoch ") || !scan.takeCounter() || !scan.take(", iteration "))
        return std::nullopt;
    const auto iteration = scan.takeCounter();
    if (!iteration || !scan.take("/") || !scan.takeCounter() || !scan.take(" | "))
        return std::nullopt;
    const std::string_view fields = scan.rest();
    const auto step = scan.jumpBehind("global_step: ") ? scan.takeCounter() : std::nullopt;
    return PairLineHead{{step.value_or(*iteration)}, fields};
}

void cutLine(std::string_view text, PairFields& fields)
{
    cutFields(text, " | ", ':', fields);
}

class NemoReader : public LineReader
{
public:
    LineVerdict read(const TextLine& line, RecordSink& sink) override
    {
        const LineVerdict verdict = m_lines.read(line, sink);
        return verdict == LineVerdict::NotMine ? m_bars.read(line, sink) : verdict;
    }
    void finish(RecordSink& sink) override { m_bars.finish(sink); }

private:
    PairLineReader m_lines{PairLineSpec{&lineHead, &cutLine, kRules}};
    BarRecordReader m_bars{BarRecordSpec{&barStep, kRules}};
};

int score(std::string_view line)
{
    TextLine probe;
    probe.text = line;
    return lineHead(line) || barStep(probe) ? 100 : 0;
}

std::unique_ptr<LineReader> make()
{
    return std::make_unique<NemoReader>();
}

}  // namespace

LineDialect nemoDialect() noexcept
{
    return {"nemo", "NeMo console", DialectRole::Primary, &score, &make};
}

}  // namespace firstbad::core
