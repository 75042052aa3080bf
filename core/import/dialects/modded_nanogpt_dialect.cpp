// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/import/dialects/modded_nanogpt_dialect.h"

#include "core/import/dialects/pair_line_reader.h"

namespace firstbad::core {
namespace {

// train_time counts from the start and step_avg is a mean over all steps so far: no step's own.
constexpr std::array kRules{
    NameRule{"train_loss", Quantity::Loss},
    NameRule{"val_loss", Quantity::Other},
    NameRule{"val_bpb", Quantity::Other},
    NameRule{"train_time", Quantity::Other, "ms"},
    NameRule{"step_avg", Quantity::Other, "ms", true},
    NameRule{"tok/s", Quantity::Throughput, "tokens/s"},
};

enum Kind : std::size_t { kTrain, kTimeOnly, kValidation, kSpaced };

// "step:250/5100 train_loss:3.2101 ...": source code in the same file never starts like this.
std::optional<PairLineHead> gluedHead(LineScanner scan)
{
    if (!scan.take("step:"))
        return std::nullopt;
    const auto step = scan.takeCounter();
    if (!step || !scan.take("/") || !scan.takeCounter() || !scan.take(" "))
        return std::nullopt;
    const std::string_view rest = scan.rest();
    if (rest.substr(0, 11) == "train_loss:")
        return PairLineHead{{*step, kTrain}, rest};
    if (rest.substr(0, 11) == "train_time:")
        return PairLineHead{{*step, kTimeOnly}, rest};
    if (rest.substr(0, 4) == "val_")
        return PairLineHead{{*step, kValidation}, rest};
    return std::nullopt;
}

// "3000/20000 train_loss: 2.5641 train_time: 5.4m tok/s: 7347224"
std::optional<PairLineHead> spacedHead(LineScanner scan)
{
    const auto step = scan.takeCounter();
    if (!step || !scan.take("/") || !scan.takeCounter() || !scan.take(" "))
        return std::nullopt;
    const std::string_view rest = scan.rest();
    if (rest.substr(0, 12) == "train_loss: ")
        return PairLineHead{{*step, kSpaced}, rest};
    if (rest.substr(0, 10) == "val_loss: ")
        return PairLineHead{{*step, kValidation}, rest};
    return std::nullopt;
}

std::optional<PairLineHead> head(std::string_view line)
{
    if (line.empty())
        return std::nullopt;
    const LineScanner scan(line);
    return isAsciiDigit(line.front()) ? spacedHead(scan) : gluedHead(scan);
}

void cut(std::string_view text, PairFields& fields)
{
    cutSpacedFields(text, fields);
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

LineDialect moddedNanogptDialect() noexcept
{
    return {"modded-nanogpt", "modded-nanogpt and parameter-golf logs", DialectRole::Primary,
        &score, &make};
}

}  // namespace firstbad::core
