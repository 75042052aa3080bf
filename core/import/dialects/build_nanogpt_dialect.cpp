// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/import/dialects/build_nanogpt_dialect.h"

#include "core/import/dialects/pair_line_reader.h"

namespace firstbad::core {
namespace {

constexpr std::array<std::string_view, 3> kNames{"train", "val", "hella"};
constexpr std::array kRules{
    NameRule{"train", Quantity::Loss},
    NameRule{"val", Quantity::Other},
    NameRule{"hella", Quantity::Other},
};

std::optional<PairLineHead> head(std::string_view line)
{
    LineScanner scan(line);
    if (line.empty() || !isAsciiDigit(line.front()))
        return std::nullopt;
    const auto step = scan.takeCounter();
    if (!step || !scan.take(" "))
        return std::nullopt;
    const std::string_view rest = scan.rest();
    for (std::size_t kind = 0; kind < kNames.size(); ++kind) {
        if (scan.take(kNames.at(kind)) && scan.take(" ") && parseNumber(scan.rest()))
            return PairLineHead{{*step, kind}, rest};
    }
    return std::nullopt;
}

void cut(std::string_view text, PairFields& fields)
{
    cutWordFields(text, "\n", fields);
}

int score(std::string_view line)
{
    return head(line) ? 90 : 0;
}

std::unique_ptr<LineReader> make()
{
    return std::make_unique<PairLineReader>(PairLineSpec{&head, &cut, kRules});
}

}  // namespace

LineDialect buildNanogptDialect() noexcept
{
    return {"build-nanogpt", "build-nanogpt log.txt", DialectRole::Primary, &score, &make};
}

}  // namespace firstbad::core
