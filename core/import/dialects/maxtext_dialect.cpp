// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/import/dialects/maxtext_dialect.h"

#include "core/import/dialects/pair_line_reader.h"

namespace firstbad::core {
namespace {

constexpr std::array kRules{
    NameRule{"loss", Quantity::Loss},
    NameRule{"main_model_loss", Quantity::Loss},
    NameRule{"seconds", Quantity::StepTime, "s"},
    NameRule{"TFLOP/s/device", Quantity::Throughput, "TFLOP/s"},
    NameRule{"TFLOP/s", Quantity::Throughput, "TFLOP/s"},
    NameRule{"Tokens/s/device", Quantity::Throughput, "tokens/s"},
};

std::optional<PairLineHead> head(std::string_view line)
{
    LineScanner scan(line);
    if (!scan.take("completed step: "))
        return std::nullopt;
    const auto step = scan.takeCounter();
    if (!step || !scan.take(", "))
        return std::nullopt;
    return PairLineHead{{*step}, scan.rest()};
}

void cut(std::string_view text, PairFields& fields)
{
    cutFields(text, ", ", ':', fields);
}

int score(std::string_view line)
{
    return head(line) ? 100 : 0;
}

std::unique_ptr<LineReader> make()
{
    return std::make_unique<PairLineReader>(PairLineSpec{&head, &cut, kRules});
}

}  // namespace

LineDialect maxtextDialect() noexcept
{
    return {"maxtext", "MaxText console", DialectRole::Primary, &score, &make};
}

}  // namespace firstbad::core
