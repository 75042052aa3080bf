// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/import/dialects/lightning_dialect.h"

#include "core/import/dialects/bar_record.h"
#include "core/import/dialects/epoch_step.h"
#include "core/import/dialects/line_scanner.h"

namespace firstbad::core {
namespace {

bool isPostfix(std::string_view text) noexcept
{
    return text.find("v_num=") != std::string_view::npos
        && text.find("global_step=") == std::string_view::npos;
}

// The bar counts batches of its epoch, which stands before it: "Epoch 3:  25%|".
std::optional<std::int64_t> barStep(const TextLine& line)
{
    LineScanner scan(line.raw);
    if (!isPostfix(line.text) || !line.barStep || !line.barTotal || !scan.jumpBehind("Epoch "))
        return std::nullopt;
    const auto epoch = scan.takeCounter();
    return epoch ? stepOfEpoch(*epoch, *line.barTotal, *line.barStep) : std::nullopt;
}

int score(std::string_view line)
{
    return isPostfix(line) && line.find('=') != line.rfind('=') ? 95 : 0;
}

std::unique_ptr<LineReader> make()
{
    return std::make_unique<BarRecordReader>(BarRecordSpec{&barStep, {}});
}

}  // namespace

LineDialect lightningDialect() noexcept
{
    return {"lightning-console", "Lightning progress bars", DialectRole::Primary, &score, &make};
}

}  // namespace firstbad::core
