// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/import/dialects/metriclogger_dialect.h"

#include "core/import/dialects/epoch_step.h"
#include "core/import/dialects/pair_line_reader.h"

namespace firstbad::core {
namespace {

constexpr std::array kRules{
    NameRule{"time", Quantity::StepTime, "s"},
};

enum Kind : std::size_t { kTrain, kTest };

// "Epoch: [12]  [  50/1251]  eta: ..." and "Test:  [  0/100]  eta: ..."
std::optional<PairLineHead> epochHead(std::string_view line)
{
    LineScanner scan(line);
    std::int64_t epoch = 0;
    const bool test = scan.take("Test:");
    if (!test) {
        const auto counted = scan.take("Epoch: [") ? scan.takeCounter() : std::nullopt;
        if (!counted || !scan.take("]"))
            return std::nullopt;
        epoch = *counted;
    }
    if (!scan.skipBlanks().take("["))
        return std::nullopt;
    const auto index = scan.takeCounter();
    const auto perEpoch = scan.take("/") ? scan.takeCounter() : std::nullopt;
    if (!index || !perEpoch || !scan.take("]  eta: "))
        return std::nullopt;
    const auto step = stepOfEpoch(epoch, *perEpoch, *index);
    if (!step)
        return std::nullopt;
    RecordHead record{*step, test ? kTest : kTrain, !test};
    if (test)
        record.prefix = "Test ";
    return PairLineHead{record, scan.rest()};
}

// maskrcnn-benchmark: "eta: 1:02:03  iter: 10400  loss: 0.6885 (0.8383)  ..."
std::optional<PairLineHead> iterationHead(std::string_view line)
{
    LineScanner scan(line);
    if (!scan.take("iter: ") && !(line.substr(0, 5) == "eta: " && scan.jumpBehind("  iter: ")))
        return std::nullopt;
    const auto step = scan.takeCounter();
    if (!step || !scan.take("  "))
        return std::nullopt;
    const bool mine = scan.rest().find(" (") != std::string_view::npos;
    return mine ? std::optional(PairLineHead{{*step}, scan.rest()}) : std::nullopt;
}

std::optional<PairLineHead> head(std::string_view line)
{
    auto found = epochHead(line);
    return found ? found : iterationHead(line);
}

int score(std::string_view line)
{
    return head(line) ? 98 : 0;
}

std::unique_ptr<LineReader> make()
{
    return std::make_unique<PairLineReader>(PairLineSpec{&head, &cutSpacedFields, kRules});
}

}  // namespace

LineDialect metricloggerDialect() noexcept
{
    return {
        "metriclogger", "MetricLogger of DETR and its kin", DialectRole::Primary, &score, &make};
}

}  // namespace firstbad::core
