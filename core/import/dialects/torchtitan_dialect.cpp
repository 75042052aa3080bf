// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/import/dialects/torchtitan_dialect.h"

#include "core/import/dialects/pair_line_reader.h"

namespace firstbad::core {
namespace {

constexpr std::array kRules{
    NameRule{"loss", Quantity::Loss},
    NameRule{"grad_norm", Quantity::GradNorm},
    NameRule{"tps", Quantity::Throughput, "tokens/s"},
    NameRule{"tflops", Quantity::Throughput, "TFLOPS"},
    NameRule{"mfu", Quantity::Throughput, "%"},
    NameRule{"validate loss", Quantity::Other},
};

enum Kind : std::size_t { kTrain, kValidate };

std::optional<PairLineHead> head(std::string_view line)
{
    LineScanner scan(line);
    const bool validate = scan.take("validate ");
    if (!scan.take("step: "))
        return std::nullopt;
    const auto step = scan.takeCounter();
    if (!step || scan.rest().substr(0, 2) != "  ")
        return std::nullopt;
    scan.skipBlanks();
    if (scan.rest().substr(0, 6) != "loss: ")
        return std::nullopt;
    RecordHead record{*step, validate ? kValidate : kTrain};
    if (validate)
        record.prefix = "validate ";
    return PairLineHead{record, scan.rest()};
}

int score(std::string_view line)
{
    return head(line) ? 100 : 0;
}

std::unique_ptr<LineReader> make()
{
    return std::make_unique<PairLineReader>(PairLineSpec{&head, &cutSpacedFields, kRules});
}

}  // namespace

LineDialect torchtitanDialect() noexcept
{
    return {"torchtitan", "torchtitan console", DialectRole::Primary, &score, &make};
}

}  // namespace firstbad::core
