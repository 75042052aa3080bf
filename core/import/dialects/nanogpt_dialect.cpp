// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/import/dialects/nanogpt_dialect.h"

#include "core/import/dialects/pair_line_reader.h"

namespace firstbad::core {
namespace {

// "train loss" is a mean over evaluation batches, not the loss of a step.
constexpr std::array kRules{
    NameRule{"train loss", Quantity::Other},
    NameRule{"val loss", Quantity::Other},
    NameRule{"time", Quantity::Throughput, "ms"},
    NameRule{"mfu", Quantity::Throughput, "%"},
};

enum Kind : std::size_t { kIteration, kEvaluation };

std::optional<PairLineHead> head(std::string_view line)
{
    LineScanner scan(line);
    const bool iteration = scan.take("iter ");
    if (!iteration && !scan.take("step "))
        return std::nullopt;
    const auto step = scan.takeCounter();
    if (!step || !scan.take(": "))
        return std::nullopt;
    const bool mine = iteration ? scan.rest().substr(0, 5) == "loss "
                                : scan.rest().substr(0, 11) == "train loss ";
    if (!mine)
        return std::nullopt;
    return PairLineHead{{*step, iteration ? kIteration : kEvaluation}, scan.rest()};
}

void cut(std::string_view text, PairFields& fields)
{
    cutWordFields(text, ", ", fields);
}

class NanogptReader : public PairLineReader
{
public:
    NanogptReader()
        : PairLineReader({&head, &cut, kRules})
    { }

    LineVerdict read(const TextLine& line, RecordSink& sink) override
    {
        const LineVerdict verdict = PairLineReader::read(line, sink);
        if (verdict != LineVerdict::NotMine)
            return verdict;
        LineScanner scan(line.text);
        if (scan.take("saving checkpoint to ")) {
            LogEvent event = makeEvent(EventKind::Save, line);
            if (recorder().hasRecords())
                event.step = sink.step();
            event.path = eventText(scan.rest());
            sink.addEvent(std::move(event));
            return LineVerdict::Taken;
        }
        if (scan.take("Resuming training from ")) {
            if (recorder().hasRecords())
                sink.addBreak("the training was resumed", std::nullopt, line.time);
            LogEvent event = makeEvent(EventKind::Load, line);
            event.path = eventText(scan.rest());
            sink.addEvent(std::move(event));
            return LineVerdict::Taken;
        }
        return LineVerdict::NotMine;
    }
};

int score(std::string_view line)
{
    return head(line) ? 100 : 0;
}

std::unique_ptr<LineReader> make()
{
    return std::make_unique<NanogptReader>();
}

}  // namespace

LineDialect nanogptDialect() noexcept
{
    return {"nanogpt", "nanoGPT console", DialectRole::Primary, &score, &make};
}

}  // namespace firstbad::core
