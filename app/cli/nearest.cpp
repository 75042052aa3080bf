// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/nearest.h"

#include <algorithm>
#include <numeric>

namespace firstbad::cli {
namespace {

/// Levenshtein distance.
std::size_t typingErrors(std::string_view a, std::string_view b)
{
    std::vector<std::size_t> row(b.size() + 1);
    std::iota(row.begin(), row.end(), std::size_t{0});
    for (std::size_t i = 0; i < a.size(); ++i) {
        std::size_t diagonal = row[0];
        row[0] = i + 1;
        for (std::size_t j = 0; j < b.size(); ++j) {
            const std::size_t replaced = diagonal + (a[i] == b[j] ? 0 : 1);
            diagonal = row[j + 1];
            row[j + 1] = std::min({replaced, row[j] + 1, diagonal + 1});
        }
    }
    return row.back();
}

}  // namespace

std::optional<std::string> nearest(
    std::string_view typed, const std::vector<std::string>& candidates)
{
    constexpr std::size_t kLongest = 64;
    if (typed.size() > kLongest)
        return std::nullopt;
    std::optional<std::string> best;
    std::size_t fewest = std::max<std::size_t>(typed.size() / 2, 1) + 1;
    for (const std::string& candidate : candidates) {
        const std::size_t errors = typingErrors(typed, candidate);
        if (errors < fewest) {
            fewest = errors;
            best = candidate;
        }
    }
    return best;
}

}  // namespace firstbad::cli
