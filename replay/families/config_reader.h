// SPDX-License-Identifier: GPL-3.0-or-later
// Reads the numbers of a model's config, each checked against what a model can have.
//
// Pure; any thread. The first member that is missing or makes no sense is the Error.
#pragma once

#include "core/base/json_reader.h"

#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>

namespace firstbad::replay {

class ConfigReader
{
public:
    explicit ConfigReader(const core::JsonValue& config)
        : m_config(config)
    { }

    /// A whole number from 1 to 2^31; the first of `names` that is present.
    std::int64_t size(
        std::initializer_list<std::string_view> names, std::optional<std::int64_t> fallback = {});
    double real(std::initializer_list<std::string_view> names, double fallback);
    bool flag(std::string_view name, bool fallback) const;
    std::string text(std::string_view name, std::string_view fallback) const;
    /// Largest of the dropout probabilities named.
    double largest(std::initializer_list<std::string_view> names) const;
    /// Fails unless `whole` is a multiple of `part`.
    void divides(std::string_view what, std::int64_t whole, std::int64_t part);

    [[nodiscard]] const core::JsonValue* find(std::initializer_list<std::string_view> names) const;
    [[nodiscard]] bool failed() const noexcept { return m_error.has_value(); }
    [[nodiscard]] const core::Error& error() const { return *m_error; }
    void fail(std::string message);

private:
    const core::JsonValue& m_config;
    std::optional<core::Error> m_error;
};

}  // namespace firstbad::replay
