// SPDX-License-Identifier: GPL-3.0-or-later
// Rows of embeddings and heads: dead ones, and ones far larger than all others.
#include "core/base/text.h"
#include "core/base/value_kind.h"
#include "core/finite/float_format.h"
#include "core/judge/rules.h"
#include "core/judge/tensor_names.h"
#include "core/scan/tensor_stream.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace firstbad::core {
namespace {

constexpr std::size_t kMostRowsTold = 100;
constexpr std::int64_t kMostRows = 4'000'000;

/// Sums of squares by row; NaN and infinities are left out. Empty when it cannot be read.
std::vector<double> squaresOf(const FileRuleInput& input, const CheckpointTensor& tensor)
{
    const auto columns = static_cast<std::uint64_t>(tensor.shape[1]);
    std::vector<double> squares(static_cast<std::size_t>(tensor.shape[0]), 0.0);
    const auto done = visitValues(input.checkpoint(), tensor, input.job,
        [&](std::uint64_t first, std::span<const double> values) {
            for (std::size_t i = 0; i < values.size(); ++i) {
                if (isFinite(values[i]))
                    squares[static_cast<std::size_t>((first + i) / columns)]
                        += values[i] * values[i];
            }
            return true;
        });
    return done ? squares : std::vector<double>();
}

/// Rows that are zero, but neither the one row of a padding token nor the padding at the end.
std::vector<std::int64_t> deadRows(const std::vector<double>& squares)
{
    std::size_t end = squares.size();
    while (end > 0 && squares[end - 1] == 0.0)
        --end;
    std::vector<std::int64_t> rows;
    for (std::size_t row = 0; row < end; ++row) {
        if (squares[row] == 0.0)
            rows.push_back(static_cast<std::int64_t>(row));
    }
    constexpr std::int64_t kPaddingToken = 1;
    if (rows.size() == 1 && rows[0] <= kPaddingToken)
        rows.clear();
    return rows;
}

void warnDead(
    const FileRuleInput& input, const CheckpointTensor& tensor, const std::vector<double>& squares)
{
    std::vector<std::int64_t> rows = deadRows(squares);
    if (rows.empty() || rows.size() == squares.size())
        return;
    CheckpointWarning warning;
    warning.code = "dead-rows";
    warning.tensor = tensor.name;
    warning.count = rows.size();
    warning.index = rows.front();
    warning.text = fmt::format("{} of {} rows of {} are zero throughout, the first is {}.",
        rows.size(), squares.size(), tensor.name, rows.front());
    rows.resize(std::min(rows.size(), kMostRowsTold));
    warning.rows = std::move(rows);
    input.warnings.push_back(std::move(warning));
}

void warnOutliers(
    const FileRuleInput& input, const CheckpointTensor& tensor, const std::vector<double>& squares)
{
    constexpr double kFactor = 10.0;
    constexpr std::size_t kFewest = 8;
    std::vector<double> norms;
    for (const double square : squares) {
        if (square > 0.0)
            norms.push_back(std::sqrt(square));
    }
    if (norms.size() < kFewest)
        return;
    const auto middle = norms.begin() + static_cast<std::ptrdiff_t>(norms.size() / 2);
    std::nth_element(norms.begin(), middle, norms.end());
    const double limit = kFactor * *middle;
    CheckpointWarning warning;
    std::uint64_t count = 0;
    double most = 0.0;
    for (std::size_t row = 0; row < squares.size(); ++row) {
        const double norm = std::sqrt(squares[row]);
        if (!(norm > limit))
            continue;
        ++count;
        most = std::max(most, norm);
        if (warning.rows.size() < kMostRowsTold)
            warning.rows.push_back(static_cast<std::int64_t>(row));
    }
    if (count == 0)
        return;
    warning.code = "row-norm-outlier";
    warning.tensor = tensor.name;
    warning.count = count;
    warning.index = warning.rows.front();
    warning.value = most;
    warning.limit = limit;
    warning.text = fmt::format("Row {} of {} has norm {}, the median is {}{}.",
        warning.rows.front(), tensor.name, shortNumber(most), shortNumber(*middle),
        count > 1 ? fmt::format("; {} rows in all", count) : std::string());
    input.warnings.push_back(std::move(warning));
}

}  // namespace

void judgeRows(const FileRuleInput& input)
{
    for (const CheckpointTensor& tensor : input.checkpoint().tensors) {
        if (!isEmbedding(tensor) || floatFormat(tensor.type) == nullptr || tensor.shape[0] <= 0
            || tensor.shape[1] <= 0 || tensor.shape[0] > kMostRows
            || valuesPerElement(tensor.type) != 1)
            continue;
        const std::vector<double> squares = squaresOf(input, tensor);
        warnDead(input, tensor, squares);
        warnOutliers(input, tensor, squares);
    }
}

}  // namespace firstbad::core
