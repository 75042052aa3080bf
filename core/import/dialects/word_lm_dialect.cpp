// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/import/dialects/word_lm_dialect.h"

#include "core/import/dialects/epoch_step.h"
#include "core/import/dialects/pair_line_reader.h"

namespace firstbad::core {
namespace {

constexpr std::array kRules{
    NameRule{"loss", Quantity::Loss},
    NameRule{"ms/batch", Quantity::StepTime, "ms"},
};

// "| epoch   1 |   200/ 2983 batches | lr 20.00 | ...": the step counts over all epochs.
std::optional<PairLineHead> head(std::string_view line)
{
    LineScanner scan(line);
    scan.take("| ");
    if (!scan.take("epoch "))
        return std::nullopt;
    const auto epoch = scan.takeCounter();
    if (!epoch || !scan.take(" |"))
        return std::nullopt;
    const auto batch = scan.takeCounter();
    const auto perEpoch = scan.take("/") ? scan.takeCounter() : std::nullopt;
    if (!batch || !perEpoch || !scan.take(" batches | "))
        return std::nullopt;
    const auto step = stepOfEpoch(*epoch - 1, *perEpoch, *batch);
    return step ? std::optional(PairLineHead{{*step}, scan.rest()}) : std::nullopt;
}

void cut(std::string_view text, PairFields& fields)
{
    cutWordFields(text, " | ", fields);
}

int score(std::string_view line)
{
    return head(line) ? 95 : 0;
}

std::unique_ptr<LineReader> make()
{
    return std::make_unique<PairLineReader>(PairLineSpec{&head, &cut, kRules});
}

}  // namespace

LineDialect wordLmDialect() noexcept
{
    return {"word-lm", "PyTorch word language model example", DialectRole::Primary, &score, &make};
}

}  // namespace firstbad::core
