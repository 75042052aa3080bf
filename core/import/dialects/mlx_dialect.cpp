// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/import/dialects/mlx_dialect.h"

#include "core/import/dialects/pair_line_reader.h"

namespace firstbad::core {
namespace {

constexpr std::array kRules{
    NameRule{"Train loss", Quantity::Loss},
    NameRule{"Val loss", Quantity::Other},
    NameRule{"Val took", Quantity::Other, "s"},
    NameRule{"It/sec", Quantity::Throughput, "it/s"},
    NameRule{"Tokens/sec", Quantity::Throughput, "tokens/s"},
    NameRule{"Peak mem", Quantity::Other, "GB"},
};

enum Kind : std::size_t { kTrain, kValidation };

struct Numbered {
    std::int64_t step = 0;
    std::string_view rest;
};

std::optional<Numbered> numbered(std::string_view line)
{
    LineScanner scan(line);
    if (!scan.take("Iter "))
        return std::nullopt;
    const auto step = scan.takeCounter();
    if (!step || !scan.take(": "))
        return std::nullopt;
    return Numbered{*step, scan.rest()};
}

std::optional<PairLineHead> head(std::string_view line)
{
    const auto found = numbered(line);
    if (!found)
        return std::nullopt;
    if (found->rest.substr(0, 11) == "Train loss ")
        return PairLineHead{{found->step, kTrain}, found->rest};
    if (found->rest.substr(0, 9) == "Val loss ")
        return PairLineHead{{found->step, kValidation}, found->rest};
    return std::nullopt;
}

void cut(std::string_view text, PairFields& fields)
{
    cutWordFields(text, ", ", fields);
}

class MlxReader : public PairLineReader
{
public:
    MlxReader()
        : PairLineReader({&head, &cut, kRules})
    { }

    LineVerdict read(const TextLine& line, RecordSink& sink) override
    {
        const LineVerdict verdict = PairLineReader::read(line, sink);
        if (verdict != LineVerdict::NotMine)
            return verdict;
        const auto found = numbered(line.text);
        LineScanner scan(found ? found->rest : std::string_view{});
        if (!found || !scan.take("Saved ") || !scan.jumpBehind(" to "))
            return LineVerdict::NotMine;
        LogEvent event = makeEvent(EventKind::Save, line, found->step);
        event.path = eventText(scan.rest());
        if (!event.path.empty() && event.path.back() == '.')
            event.path.pop_back();
        sink.addEvent(std::move(event));
        return LineVerdict::Taken;
    }
};

int score(std::string_view line)
{
    return head(line) ? 100 : 0;
}

std::unique_ptr<LineReader> make()
{
    return std::make_unique<MlxReader>();
}

}  // namespace

LineDialect mlxDialect() noexcept
{
    return {"mlx", "mlx-examples console", DialectRole::Primary, &score, &make};
}

}  // namespace firstbad::core
