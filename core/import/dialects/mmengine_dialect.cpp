// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/import/dialects/mmengine_dialect.h"

#include "core/import/dialects/epoch_step.h"
#include "core/import/dialects/pair_line_reader.h"

namespace firstbad::core {
namespace {

constexpr std::array kRules{
    NameRule{"time", Quantity::StepTime, "s"},
};

enum Kind : std::size_t { kTrain, kOther };

struct Counters {
    std::optional<std::int64_t> epoch;
    std::int64_t index = 0;
    std::int64_t total = 0;
};

// "[1][ 50/1000]" or "[ 510/2046]"
std::optional<Counters> takeCounters(LineScanner& scan)
{
    Counters found;
    if (!scan.skipBlanks().take("["))
        return std::nullopt;
    auto first = scan.takeCounter();
    if (first && scan.take("][")) {
        found.epoch = first;
        first = scan.takeCounter();
    }
    const auto total = first && scan.take("/") ? scan.takeCounter() : std::nullopt;
    if (!total || !scan.take("]"))
        return std::nullopt;
    found.index = *first;
    found.total = *total;
    return found;
}

std::optional<PairLineHead> head(std::string_view line)
{
    LineScanner scan(line);
    if (!scan.take("Iter") && !scan.take("Epoch"))
        return std::nullopt;
    const bool train = scan.take("(train)") || scan.rest().substr(0, 2) == " [";
    if (!train && !scan.take("(val)") && !scan.take("(test)"))
        return std::nullopt;
    const auto counters = takeCounters(scan);
    if (!counters || scan.rest().empty() || !isBlank(scan.rest().front()))
        return std::nullopt;
    const auto step
        = stepOfEpoch(counters->epoch.value_or(1) - 1, counters->total, counters->index);
    if (!step || scan.rest().find(": ") == std::string_view::npos)
        return std::nullopt;
    RecordHead record{*step, train ? kTrain : kOther, train};
    if (!train)
        record.prefix = "val ";
    return PairLineHead{record, scan.skipBlanks().rest()};
}

// mmengine puts two blanks between fields, mmcv before it a comma.
void cut(std::string_view text, PairFields& fields)
{
    if (text.find(", ") != std::string_view::npos && text.find("  ") == std::string_view::npos)
        cutFields(text, ", ", ':', fields);
    else
        cutFields(text, "  ", ':', fields);
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

LineDialect mmengineDialect() noexcept
{
    return {"mmengine", "mmengine, xtuner and mmcv console", DialectRole::Primary, &score, &make};
}

}  // namespace firstbad::core
