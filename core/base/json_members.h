// SPDX-License-Identifier: GPL-3.0-or-later
// JsonMembers: reads the members of one object by name and remembers the first that does not fit.
//
// Small value over a JsonValue and a text that outlive it; one thread. Absent and null are the
// same; the caller looks once at `problem` when everything was read.
#pragma once

#include "core/base/json_reader.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace firstbad::core {

class JsonMembers
{
public:
    /// `path` names the object in sentences, "" for the document.
    JsonMembers(const JsonValue& object, std::string path, std::string& problem);

    /// True when the member is there and not null.
    [[nodiscard]] bool has(std::string_view name) const noexcept { return find(name) != nullptr; }

    [[nodiscard]] std::string text(std::string_view name, std::string fallback = {}) const;
    [[nodiscard]] std::optional<double> optionalNumber(std::string_view name) const;
    [[nodiscard]] double number(std::string_view name, double fallback) const;
    [[nodiscard]] std::optional<std::int64_t> optionalInteger(std::string_view name) const;
    [[nodiscard]] std::int64_t integer(std::string_view name, std::int64_t fallback) const;
    /// A whole number that is not negative; 0 when absent.
    [[nodiscard]] std::uint64_t count(std::string_view name) const;
    [[nodiscard]] std::optional<bool> optionalFlag(std::string_view name) const;
    [[nodiscard]] bool flag(std::string_view name, bool fallback) const;
    /// The members of an object; of an empty one when absent.
    [[nodiscard]] JsonMembers object(std::string_view name) const;
    /// Elements of an array; none when absent.
    [[nodiscard]] const std::vector<JsonValue>& list(std::string_view name) const;
    [[nodiscard]] std::vector<std::int64_t> integers(std::string_view name) const;
    [[nodiscard]] std::vector<double> numbers(std::string_view name) const;
    /// Texts of an array; whole numbers are taken as they are spelled.
    [[nodiscard]] std::vector<std::string> texts(std::string_view name) const;

    /// The members of element `index` of the array `name`.
    [[nodiscard]] JsonMembers element(
        const JsonValue& value, std::string_view name, std::size_t index) const;

    /// Remembers a problem with one member: "\"state.lr\" is not a number".
    void refuse(std::string_view name, std::string_view what) const;

    [[nodiscard]] const JsonValue& value() const noexcept { return *m_object; }

private:
    [[nodiscard]] const JsonValue* find(std::string_view name) const noexcept;
    [[nodiscard]] std::string pathOf(std::string_view name) const;

    const JsonValue* m_object;
    std::string m_path;
    std::string* m_problem;
};

/// The value as strict JSON text (non-finite numbers as strings), members in their order.
[[nodiscard]] std::string toJsonText(const JsonValue& value);

}  // namespace firstbad::core
