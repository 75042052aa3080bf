// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/import/dialects/nanochat_dialect.h"

#include "core/import/dialects/pair_line_reader.h"

namespace firstbad::core {
namespace {

constexpr std::array kRules{
    NameRule{"tok/sec", Quantity::Throughput, "tokens/s"},
    NameRule{"mfu", Quantity::Throughput, "%"},
    NameRule{"dt", Quantity::StepTime, "ms"},
    NameRule{"Validation bpb", Quantity::Other},
};

enum Kind : std::size_t { kTrain, kValidation };

std::optional<PairLineHead> head(std::string_view line)
{
    LineScanner scan(line);
    const bool validation = scan.take("Step ");
    if (!validation && !scan.take("step "))
        return std::nullopt;
    const auto step = scan.takeCounter();
    if (!step)
        return std::nullopt;
    if (validation) {
        const bool mine = scan.take(" | ") && scan.rest().substr(0, 11) == "Validation ";
        return mine ? std::optional(PairLineHead{{*step, kValidation}, scan.rest()}) : std::nullopt;
    }
    if (!scan.take("/") || !scan.takeCounter() || !scan.take(" ("))
        return std::nullopt;
    const auto share = scan.takeUntil("%) | ");
    if (!share || !parseNumber(*share) || scan.rest().substr(0, 6) != "loss: ")
        return std::nullopt;
    return PairLineHead{{*step, kTrain}, scan.rest()};
}

void cut(std::string_view text, PairFields& fields)
{
    cutFields(text, " | ", ':', fields);
}

int score(std::string_view line)
{
    return head(line) ? 98 : 0;
}

std::unique_ptr<LineReader> make()
{
    return std::make_unique<PairLineReader>(PairLineSpec{&head, &cut, kRules});
}

}  // namespace

LineDialect nanochatDialect() noexcept
{
    return {"nanochat", "nanochat console", DialectRole::Primary, &score, &make};
}

}  // namespace firstbad::core
