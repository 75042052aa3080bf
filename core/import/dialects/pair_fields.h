// SPDX-License-Identifier: GPL-3.0-or-later
// Cuts one log line into named fields and reads their values, whatever separators a logger uses.
//
// Pure functions over the caller's line: views into it, no allocation beyond the field buffer,
// linear in the line; any thread.
#pragma once

#include <string_view>
#include <vector>

namespace firstbad::core {

/// One field as written. `mean` is what stands in brackets behind the value ("2.34 (2.45)").
struct PairField {
    std::string_view name;
    std::string_view value;
    std::string_view mean = {};
};

using PairFields = std::vector<PairField>;

/// Cuts "loss=1.2, ppl=3.4" or "loss: 1.2 | lr: 1e-5": `between` separates fields, the first
/// `assign` of a field separates name and value. Appends to `fields`.
void cutFields(std::string_view text, std::string_view between, char assign, PairFields& fields);

/// Cuts "loss 3.21, train time 12.3ms" or "| 246.1 ms | 511 tok/s": the value is the first word
/// that starts with a number; the name is what stands before it, or behind it when nothing does.
void cutWordFields(std::string_view text, std::string_view between, PairFields& fields);

/// Cuts "loss:  2.34 (2.45)  grad_norm:  0.83  max mem: 1915": blanks within and between fields.
void cutSpacedFields(std::string_view text, PairFields& fields);

enum class FieldKind {
    Number,
    Missing,  ///< the logger says that it has no value: n/a, None, null, "nanms"
    Text,  ///< something else: a duration, a path, a word
};

struct FieldValue {
    FieldKind kind = FieldKind::Text;
    double number = 0.0;
};

/// Reads the value at the front of `text`: a number with optional thousands commas and a known
/// unit or K/M/G/T/B suffix; what follows after a blank does not matter.
[[nodiscard]] FieldValue readFieldValue(std::string_view text);

/// The written shape of a value, by which a number cut by the end of a file is told from a whole
/// one.
struct ValueShape {
    std::size_t decimals = 0;
    std::size_t trailing = 0;  ///< bytes behind the number: unit, blank and unit
    bool isWord = false;  ///< nan, inf
};

[[nodiscard]] ValueShape shapeOfValue(std::string_view text);

}  // namespace firstbad::core
