// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/import/dialects/composer_dialect.h"

#include "core/import/dialects/line_scanner.h"
#include "core/import/dialects/marked_record.h"

namespace firstbad::core {
namespace {

constexpr std::array kRules{
    NameRule{"loss/train/total", Quantity::Loss},
    NameRule{"throughput/batches_per_sec", Quantity::Throughput, "batches/s"},
    NameRule{"throughput/samples_per_sec", Quantity::Throughput, "samples/s"},
    NameRule{"throughput/tokens_per_sec", Quantity::Throughput, "tokens/s"},
    NameRule{"time/token", Quantity::Tokens},
    NameRule{"time/sample", Quantity::Samples},
};

std::optional<std::int64_t> marker(std::string_view line)
{
    LineScanner scan(line);
    if (!scan.take("[batch="))
        return std::nullopt;
    const auto step = scan.takeCounter();
    if (!step || !scan.take("/") || !scan.takeCounter() || !scan.take("]:"))
        return std::nullopt;
    return step;
}

// "Train loss/train/total: 2.34": "Train " is the console's word, not the metric's.
std::optional<PairField> field(std::string_view line)
{
    LineScanner scan(trimmed(line));
    if (!scan.take("Train "))
        return std::nullopt;
    const auto name = scan.takeUntil(": ");
    if (!name || name->empty())
        return std::nullopt;
    return PairField{*name, scan.rest()};
}

int score(std::string_view line)
{
    return marker(line) ? 100 : 0;
}

std::unique_ptr<LineReader> make()
{
    return std::make_unique<MarkedRecordReader>(MarkedRecordSpec{&marker, &field, kRules});
}

}  // namespace

LineDialect composerDialect() noexcept
{
    return {"composer", "Composer console", DialectRole::Primary, &score, &make};
}

}  // namespace firstbad::core
