// SPDX-License-Identifier: GPL-3.0-or-later
// ModelShape: sizes of a model as its config states them, whatever the family calls them, and the
// names of the weights that bound ids and positions.
//
// Plain values; a table of families. Any thread.
#pragma once

#include "core/capsule/capsule.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace firstbad::core {

struct ModelShape {
    bool known = false;  ///< the family is one of the table
    std::optional<std::int64_t> blocks;
    std::optional<std::int64_t> hidden;
    std::optional<std::int64_t> heads;
    std::optional<std::int64_t> keyValueHeads;
    std::optional<std::int64_t> vocabulary;
    std::optional<std::int64_t> positions;  ///< rows of a table of positions; absent for rotary
    std::optional<double> normEps;
    std::string normEpsName;  ///< "layer_norm_epsilon", ...
    std::string vocabularyName;
    std::string embedding;  ///< names of weights
    std::string positionTable;
    std::string head;  ///< empty when tied
    std::string blockPrefix;  ///< "transformer.h."
    std::string optionalPrefix;  ///< may be missing from every name: "transformer."
    bool wholeMask = false;  ///< a 4-D mask of integers is the whole mask, 1 = allowed
};

[[nodiscard]] ModelShape modelShape(const Capsule& capsule);

/// Names of the families, for sentences.
[[nodiscard]] std::vector<std::string_view> knownFamilies();

}  // namespace firstbad::core
