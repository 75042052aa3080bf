// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/import/dialects/swin_dialect.h"

#include "core/import/dialects/epoch_step.h"
#include "core/import/dialects/pair_line_reader.h"

#include <algorithm>
#include <array>

namespace firstbad::core {
namespace {

constexpr std::array kRules{
    NameRule{"time", Quantity::StepTime, "s"},
};

// "... INFO Train: [0/300][40/1251]<tab>eta 0:40:12 lr 0.000100<tab>...": the logger's own prefix
// may be left before it.
std::optional<PairLineHead> head(std::string_view line)
{
    LineScanner scan(line);
    if (!scan.jumpBehind("Train: ["))
        return std::nullopt;
    const auto epoch = scan.takeCounter();
    const auto epochs = epoch && scan.take("/") ? scan.takeCounter() : std::nullopt;
    if (!epochs || !scan.take("]["))
        return std::nullopt;
    const auto index = scan.takeCounter();
    const auto perEpoch = index && scan.take("/") ? scan.takeCounter() : std::nullopt;
    if (!perEpoch || !scan.take("]\t"))
        return std::nullopt;
    const auto step = stepOfEpoch(*epoch, *perEpoch, *index);
    return step ? std::optional(PairLineHead{{*step}, scan.rest()}) : std::nullopt;
}

/// "loss 6.9179 (6.9202)": name, value, running mean. "eta 0:40:12 lr 0.0001" holds two pairs.
void cutPair(std::string_view piece, PairFields& fields)
{
    while (!(piece = trimmed(piece)).empty()) {
        const std::size_t afterName = piece.find(' ');
        if (afterName == std::string_view::npos)
            return;
        PairField field{piece.substr(0, afterName), {}};
        piece = trimmed(piece.substr(afterName));
        field.value = piece.substr(0, piece.find(' '));
        piece = trimmed(piece.substr(field.value.size()));
        if (!piece.empty() && piece.front() == '(') {
            const std::size_t close = piece.find(')');
            if (close == std::string_view::npos)
                return;
            field.mean = piece.substr(1, close - 1);
            piece.remove_prefix(close + 1);
        }
        fields.push_back(field);
    }
}

void cutTabbed(std::string_view text, PairFields& fields)
{
    while (!text.empty()) {
        const std::size_t tab = std::min(text.find('\t'), text.size());
        cutPair(text.substr(0, tab), fields);
        text.remove_prefix(std::min(tab + 1, text.size()));
    }
}

int score(std::string_view line)
{
    return head(line) ? 98 : 0;
}

std::unique_ptr<LineReader> make()
{
    return std::make_unique<PairLineReader>(PairLineSpec{&head, &cutTabbed, kRules});
}

}  // namespace

LineDialect swinDialect() noexcept
{
    return {"swin", "Swin Transformer and its kin", DialectRole::Primary, &score, &make};
}

}  // namespace firstbad::core
