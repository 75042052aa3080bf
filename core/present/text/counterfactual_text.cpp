// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/present/text/counterfactual_text.h"

#include "core/base/text.h"
#include "core/present/text/line_builder.h"
#include "core/present/text/replay_text.h"
#include "core/present/text/text_table.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace firstbad::core {
namespace {

std::string placeText(const std::optional<ReplayPlace>& place)
{
    return place ? fmt::format("{} {} {}", place->lane, shortLocus(*place), place->kind)
                 : std::string("-");
}

void append(StyledText& out, StyledText lines)
{
    for (auto& line : lines)
        out.push_back(std::move(line));
}

std::string rowsText(const std::vector<std::int64_t>& rows)
{
    return fmt::format("{{{}}}", fmt::join(rows, ", "));
}

}  // namespace

StyledText matrixText(const MatrixResult& result, const TextStyle& style)
{
    TextTable table({{"vary"}, {"precision"}, {"value"}, {"outcome"},
        {"first bad", TextTable::Align::Left, true}, {"loss", TextTable::Align::Right}});
    for (const auto& cell : result.cells)
        table.addRow({{cell.vary}, {cell.precision}, {cell.value},
            {cell.fails ? "fails" : "finite", cell.fails ? Role::Fault : Role::Plain},
            {placeText(cell.firstBad)}, {cell.loss ? shortNumber(*cell.loss) : std::string("-")}});
    StyledText out;
    append(out, table.lines(style));
    out.emplace_back();
    if (result.fp32Blocks)
        addLabelled(out, style, "fp32 blocks", 13,
            fmt::format("{} {} run in fp32 for every value to be finite{}",
                rowsText(*result.fp32Blocks), result.fp32Blocks->size() == 1 ? "has to" : "have to",
                result.fp32BlocksUnique ? "" : "; other sets of that size do as well"));
    return out;
}

StyledText isolateText(const IsolateResult& result, const TextStyle& style)
{
    StyledText out;
    if (result.minimalSets.empty()) {
        out.push_back(LineBuilder(style).add(Mark::Benign).add(" no set of rows fails").take());
        return out;
    }
    for (std::size_t i = 0; i < result.minimalSets.size(); ++i)
        addLabelled(out, style, i == 0 ? "minimal" : "", 11,
            fmt::format("{}", rowsText(result.minimalSets[i])), Role::Fault);
    if (!result.sampleIds.empty())
        addLabelled(
            out, style, "samples", 11, fmt::format("{}", fmt::join(result.sampleIds, ", ")));
    if (result.tokens)
        addLabelled(
            out, style, "tokens", 11, fmt::format("{} of the first set", rowsText(*result.tokens)));
    for (const auto& [row, place] : result.alone)
        addLabelled(out, style, row == result.alone.begin()->first ? "alone" : "", 11,
            fmt::format("row {}: {}", row, place ? placeText(place) : std::string("finite")));
    return out;
}

}  // namespace firstbad::core
