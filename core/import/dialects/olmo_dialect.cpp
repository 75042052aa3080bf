// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/import/dialects/olmo_dialect.h"

#include "core/import/dialects/line_scanner.h"
#include "core/import/dialects/marked_record.h"

namespace firstbad::core {
namespace {

constexpr std::array kRules{
    NameRule{"train/CE loss", Quantity::Loss},
    NameRule{"train/CrossEntropyLoss", Quantity::Loss},
    NameRule{"optim/total grad norm", Quantity::GradNorm},
    NameRule{"optim/total_grad_norm", Quantity::GradNorm},
    NameRule{"optim/step skipped", Quantity::Skipped},
    NameRule{"optim/LR (group 0)", Quantity::LearningRate},
    NameRule{"optim/learning_rate_group0", Quantity::LearningRate},
    NameRule{"throughput/total tokens", Quantity::Tokens},
    NameRule{"throughput/total_tokens", Quantity::Tokens},
    NameRule{"throughput/device/TPS", Quantity::Throughput, "tokens/s"},
    NameRule{"throughput/device/tokens_per_second", Quantity::Throughput, "tokens/s"},
    NameRule{"throughput/device/MFU", Quantity::Throughput, "%"},
};

// "[step=250/739328,epoch=0]" alone or behind the logger's columns.
std::optional<std::int64_t> marker(std::string_view line)
{
    LineScanner scan(line);
    if (!scan.take("[step=") && !scan.jumpBehind("\t[step="))
        return std::nullopt;
    const auto step = scan.takeCounter();
    if (!step)
        return std::nullopt;
    if (scan.take("/") && !scan.takeCounter())
        return std::nullopt;
    const bool whole
        = scan.take("]") || (scan.take(",") && scan.rest().find(']') != std::string_view::npos);
    return whole ? step : std::nullopt;
}

std::optional<PairField> field(std::string_view line)
{
    const std::string_view text = trimmed(line);
    const std::size_t equals = text.find('=');
    if (equals == std::string_view::npos || equals == 0 || text.find('/') > equals)
        return std::nullopt;
    return PairField{text.substr(0, equals), text.substr(equals + 1)};
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

LineDialect olmoDialect() noexcept
{
    return {"olmo-core", "OLMo and OLMo-core console", DialectRole::Primary, &score, &make};
}

}  // namespace firstbad::core
