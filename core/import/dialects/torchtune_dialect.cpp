// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/import/dialects/torchtune_dialect.h"

#include "core/import/dialects/pair_line_reader.h"

namespace firstbad::core {
namespace {

constexpr std::array kRules{
    NameRule{"tokens_per_second_per_gpu", Quantity::Throughput, "tokens/s"},
};

std::optional<PairLineHead> head(std::string_view line)
{
    LineScanner scan(line);
    if (!scan.take("Step "))
        return std::nullopt;
    const auto step = scan.takeCounter();
    if (!step || !scan.take(" | "))
        return std::nullopt;
    const std::string_view first = scan.rest().substr(0, scan.rest().find(' '));
    const std::size_t colon = first.find(':');
    if (colon == std::string_view::npos || colon + 1 == first.size())
        return std::nullopt;
    return PairLineHead{{*step}, scan.rest()};
}

void cut(std::string_view text, PairFields& fields)
{
    cutFields(text, " ", ':', fields);
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

LineDialect torchtuneDialect() noexcept
{
    return {"torchtune", "torchtune metric logs", DialectRole::Primary, &score, &make};
}

}  // namespace firstbad::core
