// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/import/dialects/llmc_dialect.h"

#include "core/import/dialects/pair_line_reader.h"

namespace firstbad::core {
namespace {

// z-scores in brackets ("+nanz" until their window is full) are no values and are not read.
constexpr std::array kConsoleRules{
    NameRule{"loss", Quantity::Loss},
    NameRule{"train loss", Quantity::Loss},
    NameRule{"val loss", Quantity::Other},
    NameRule{"ms", Quantity::StepTime, "ms"},
    NameRule{"tok/s", Quantity::Throughput, "tokens/s"},
    NameRule{"MFU", Quantity::Throughput, "%"},
    NameRule{"bf16 MFU", Quantity::Throughput, "%"},
    NameRule{"fp16 MFU", Quantity::Throughput, "%"},
};

constexpr std::array kMainRules{
    NameRule{"trl", Quantity::Loss},
    NameRule{"tel", Quantity::Other},
    NameRule{"eval", Quantity::Other},
};

std::optional<PairLineHead> consoleHead(std::string_view line)
{
    LineScanner scan(line);
    if (!scan.take("step "))
        return std::nullopt;
    const auto step = scan.takeCounter();
    if (!step || !scan.take("/") || !scan.takeCounter() || !scan.take(" | "))
        return std::nullopt;
    const bool mine = scan.rest().substr(0, 5) == "loss " || scan.rest().substr(0, 6) == "train ";
    return mine ? std::optional(PairLineHead{{*step}, scan.rest()}) : std::nullopt;
}

void cutConsole(std::string_view text, PairFields& fields)
{
    cutWordFields(text, "|", fields);
}

class ConsoleReader : public PairLineReader
{
public:
    ConsoleReader()
        : PairLineReader({&consoleHead, &cutConsole, kConsoleRules})
    { }

    LineVerdict read(const TextLine& line, RecordSink& sink) override
    {
        const LineVerdict verdict = PairLineReader::read(line, sink);
        if (verdict != LineVerdict::NotMine || line.text.substr(0, 9) != "val loss ")
            return verdict;
        PairFields& fields = recorder().emptyFields();
        cutConsole(line.text, fields);
        // the line names no step: it belongs to the last one
        const std::int64_t step = recorder().hasRecords() ? sink.step() : 0;
        return recorder().record(line, {step, 1, false}, fields, sink);
    }
};

std::optional<PairLineHead> mainHead(std::string_view line)
{
    LineScanner scan(line);
    if (!scan.take("s:"))
        return std::nullopt;
    const auto step = scan.takeCounter();
    if (!step || !scan.take(" "))
        return std::nullopt;
    constexpr std::array<std::string_view, 3> kFirst{"trl:", "tel:", "eval:"};
    for (std::size_t kind = 0; kind < kFirst.size(); ++kind) {
        if (scan.rest().substr(0, kFirst.at(kind).size()) == kFirst.at(kind))
            return PairLineHead{{*step, kind}, scan.rest()};
    }
    return std::nullopt;
}

void cutMain(std::string_view text, PairFields& fields)
{
    cutFields(text, " ", ':', fields);
}

int scoreConsole(std::string_view line)
{
    return consoleHead(line) ? 95 : 0;
}

int scoreMain(std::string_view line)
{
    return mainHead(line) ? 95 : 0;
}

std::unique_ptr<LineReader> makeConsole()
{
    return std::make_unique<ConsoleReader>();
}

std::unique_ptr<LineReader> makeMain()
{
    return std::make_unique<PairLineReader>(PairLineSpec{&mainHead, &cutMain, kMainRules});
}

}  // namespace

LineDialect llmcConsoleDialect() noexcept
{
    return {"llm.c", "llm.c console", DialectRole::Primary, &scoreConsole, &makeConsole};
}

LineDialect llmcMainDialect() noexcept
{
    return {"llm.c-main", "llm.c main.log", DialectRole::Primary, &scoreMain, &makeMain};
}

}  // namespace firstbad::core
