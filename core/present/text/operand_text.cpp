// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/present/text/operand_text.h"

#include "core/base/text.h"
#include "core/base/value_kind.h"
#include "core/present/text/line_builder.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <numeric>

namespace firstbad::core {
namespace {

constexpr int kIndent = 11;
constexpr std::size_t kShownProducts = 4;
constexpr std::size_t kShownValues = 6;
constexpr int kNumber = 13;

bool isRow(const ReplayOperand& operand)
{
    return operand.values.size() > 1;
}

/// Size for ordering: what is not finite comes first.
double magnitude(double value)
{
    return isFinite(value) ? std::fabs(value) : HUGE_VAL;
}

std::string label(const ReplayOperand& operand)
{
    return operand.index.empty()
        ? operand.name
        : fmt::format("{} [{}]", operand.name, fmt::join(operand.index, ", "));
}

void addProduct(StyledText& out, std::size_t dim, double a, double b, const TextStyle& style)
{
    out.push_back(LineBuilder(style)
                      .padTo(kIndent)
                      .add(fmt::format("{:>5} {:>{w}} {:>{w}} {:>{w}}", dim, shortNumber(a),
                          shortNumber(b), shortNumber(a * b), fmt::arg("w", kNumber)))
                      .take());
}

/// Two rows of equal length that are multiplied: the largest products, and what the others add.
void addProducts(
    StyledText& out, const ReplayOperand& a, const ReplayOperand& b, const TextStyle& style)
{
    std::vector<std::size_t> order(a.values.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::stable_sort(order.begin(), order.end(), [&](std::size_t left, std::size_t right) {
        return magnitude(a.values[left] * b.values[left])
            > magnitude(a.values[right] * b.values[right]);
    });
    addLabelled(out, style, "operands", kIndent, fmt::format("{} × {}", label(a), label(b)));
    out.push_back(LineBuilder(style)
                      .padTo(kIndent)
                      .add(fmt::format("{:>5} {:>{w}} {:>{w}} {:>{w}}", "dim", "row", "row",
                               "product", fmt::arg("w", kNumber)),
                          Role::Muted)
                      .take());
    const std::size_t shown = std::min(kShownProducts, order.size());
    for (std::size_t i = 0; i < shown; ++i)
        addProduct(out, order[i], a.values[order[i]], b.values[order[i]], style);
    if (shown < order.size())
        out.push_back(LineBuilder(style)
                          .padTo(kIndent)
                          .add(fmt::format("and {} more", order.size() - shown), Role::Muted)
                          .take());
}

void addOne(StyledText& out, const ReplayOperand& operand, const TextStyle& style)
{
    std::string values;
    for (std::size_t i = 0; i < std::min(kShownValues, operand.values.size()); ++i)
        values += (i == 0 ? "" : ", ") + shortNumber(operand.values[i]);
    if (operand.values.size() > kShownValues)
        values += fmt::format(", … ({} values)", operand.values.size());
    std::string text = label(operand);
    if (!values.empty())
        text += " = " + values;
    if (!operand.note.empty())
        text += fmt::format("  {}", operand.note);
    addLabelled(out, style, "", kIndent, text);
}

}  // namespace

void addOperands(
    StyledText& out, const std::vector<ReplayOperand>& operands, const TextStyle& style)
{
    std::size_t first = 0;
    const bool product = operands.size() >= 2 && isRow(operands[0]) && isRow(operands[1])
        && operands[0].values.size() == operands[1].values.size();
    if (product) {
        addProducts(out, operands[0], operands[1], style);
        first = 2;
    } else if (!operands.empty()) {
        out.push_back(LineBuilder(style).add("operands").take());
    }
    for (std::size_t i = first; i < operands.size(); ++i)
        addOne(out, operands[i], style);
}

}  // namespace firstbad::core
