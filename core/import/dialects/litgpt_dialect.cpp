// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/import/dialects/litgpt_dialect.h"

#include "core/import/dialects/pair_line_reader.h"

namespace firstbad::core {
namespace {

constexpr std::array kRules{
    NameRule{"loss train", Quantity::Loss},
    NameRule{"val", Quantity::Other},
    NameRule{"iter time", Quantity::StepTime, "ms"},
};

// Records are named by "iter": several of them share one optimizer step.
std::optional<PairLineHead> head(std::string_view line)
{
    LineScanner scan(line);
    if (!scan.take("Epoch ") || !scan.takeCounter() || !scan.take(" | iter "))
        return std::nullopt;
    const auto iteration = scan.takeCounter();
    if (!iteration || !scan.take(" step ") || !scan.takeCounter() || !scan.take(" | "))
        return std::nullopt;
    const bool mine = scan.rest().substr(0, 12) == "loss train: ";
    return mine ? std::optional(PairLineHead{{*iteration}, scan.rest()}) : std::nullopt;
}

void cut(std::string_view text, PairFields& fields)
{
    // "loss train: 3.210, val: n/a | iter time: 210.12 ms (step) remaining time: 1 day, 2:03:04"
    const std::size_t bar = text.find(" | ");
    cutFields(text.substr(0, bar), ", ", ':', fields);
    if (bar == std::string_view::npos)
        return;
    const std::string_view rest = text.substr(bar + 3);
    cutFields(rest.substr(0, rest.find(" remaining time")), " | ", ':', fields);
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

LineDialect litgptDialect() noexcept
{
    return {"litgpt", "litgpt console", DialectRole::Primary, &score, &make};
}

}  // namespace firstbad::core
