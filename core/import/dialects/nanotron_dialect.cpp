// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/import/dialects/nanotron_dialect.h"

#include "core/import/dialects/pair_line_reader.h"

namespace firstbad::core {
namespace {

constexpr std::array kRules{
    NameRule{"lm_loss", Quantity::Loss},
    NameRule{"elapsed_time_per_iteration_ms", Quantity::StepTime, "ms"},
    NameRule{"tokens_per_sec", Quantity::Throughput, "tokens/s"},
    NameRule{"tokens_per_sec_per_gpu", Quantity::Throughput, "tokens/s"},
    NameRule{"model_tflops_per_gpu", Quantity::Throughput, "TFLOPS"},
    NameRule{"hardware_tflops_per_gpu", Quantity::Throughput, "TFLOPS"},
};

// "02/03/2031 04:05:06 [INFO|DP=0|PP=1|TP=0|host1]: iteration: 15 / 1000 | ...": the part before
// may have been taken away already.
std::optional<PairLineHead> head(std::string_view line)
{
    LineScanner scan(line);
    if (!scan.take("iteration: ") && !scan.jumpBehind("]: iteration: "))
        return std::nullopt;
    const auto step = scan.takeCounter();
    if (!step || !scan.skipBlanks().take("/") || !scan.takeCounter() || !scan.take(" | "))
        return std::nullopt;
    const bool mine = scan.rest().find("_tokens: ") != std::string_view::npos
        || scan.rest().find("lm_loss: ") != std::string_view::npos;
    return mine ? std::optional(PairLineHead{{*step}, scan.rest()}) : std::nullopt;
}

void cut(std::string_view text, PairFields& fields)
{
    cutFields(text, " | ", ':', fields);
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

LineDialect nanotronDialect() noexcept
{
    return {"nanotron", "nanotron console", DialectRole::Primary, &score, &make};
}

}  // namespace firstbad::core
