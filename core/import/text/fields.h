// SPDX-License-Identifier: GPL-3.0-or-later
// FieldSplitter: a clean log line as name/value pairs, however its writer punctuated it.
//
// Understands "name: value | name: value", "name=value, name=value", "name value | name value",
// blank-separated "name:  value  name:  value", python and JSON dicts (nested names joined by '.'),
// brackets, thousands commas, units glued to numbers, "N/M" and a second value in parentheses.
// A splitter is reused line after line and then does not allocate; one thread. The views live until
// the next split() and no longer than the line.
#pragma once

#include <cstdint>
#include <deque>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace firstbad::core {

struct Field {
    std::string_view name;  ///< without quotes and blanks around it; never empty
    std::string_view value;  ///< as printed, without quotes
    std::string_view note;  ///< what stands in parentheses behind it: "3.1" of "loss: 2.9 (3.1)"
    double number = 0.0;  ///< when isNumber; K/M/G/T suffixes are applied, units dropped
    std::int64_t total = -1;  ///< M of "N/M"
    bool isNumber = false;
    bool isQuoted = false;
    bool isExplicit = true;  ///< joined by ':' or '=', not only by a blank
};

class FieldSplitter
{
public:
    [[nodiscard]] std::span<const Field> split(std::string_view line);

private:
    friend class FieldScanner;
    std::vector<Field> m_fields;
    std::deque<std::string> m_names;  // joined names of nested dicts: addresses stay
    std::size_t m_usedNames = 0;
};

/// The first field of that name (ASCII case ignored); nullptr when there is none.
[[nodiscard]] const Field* findField(std::span<const Field> fields, std::string_view name) noexcept;

/// The field that counts steps: step, global_step, iteration, iter, update, num_updates, ...;
/// nullptr when no field does or its value is no whole number.
[[nodiscard]] const Field* findStepField(std::span<const Field> fields) noexcept;

/// Whether `name` is one that counts steps.
[[nodiscard]] bool isStepName(std::string_view name) noexcept;

}  // namespace firstbad::core
