// SPDX-License-Identifier: GPL-3.0-or-later
#include "replay/families/config_reader.h"

#include "core/base/value_kind.h"

#include <algorithm>
#include <fmt/format.h>

namespace firstbad::replay {

namespace {

constexpr std::int64_t kLargestSize = std::int64_t{1} << 31U;

}  // namespace

void ConfigReader::fail(std::string message)
{
    if (!m_error)
        m_error = core::Error{core::ErrorCode::Malformed, std::move(message), {}, {},
            "Compare the config of capsule.json with the model's own config.json."};
}

const core::JsonValue* ConfigReader::find(std::initializer_list<std::string_view> names) const
{
    for (const auto name : names) {
        const auto* value = m_config.find(name);
        if (value != nullptr && value->kind != core::JsonValue::Kind::Null)
            return value;
    }
    return nullptr;
}

std::int64_t ConfigReader::size(
    std::initializer_list<std::string_view> names, std::optional<std::int64_t> fallback)
{
    const auto* value = find(names);
    if (value == nullptr) {
        if (!fallback)
            fail(fmt::format("The config of the capsule has no \"{}\".", *names.begin()));
        return fallback.value_or(1);
    }
    const auto number = value->asInteger();
    if (!number || *number < 1 || *number > kLargestSize) {
        fail(fmt::format("\"{}\" of the capsule's config is no size of a model.", *names.begin()));
        return 1;
    }
    return *number;
}

double ConfigReader::real(std::initializer_list<std::string_view> names, double fallback)
{
    const auto* value = find(names);
    if (value == nullptr)
        return fallback;
    const auto number = value->asNumber();
    if (!number || !core::isFinite(*number)) {
        fail(fmt::format("\"{}\" of the capsule's config is no finite number.", *names.begin()));
        return fallback;
    }
    return *number;
}

bool ConfigReader::flag(std::string_view name, bool fallback) const
{
    const auto* value = m_config.find(name);
    return value != nullptr && value->kind == core::JsonValue::Kind::Boolean ? value->flag
                                                                             : fallback;
}

std::string ConfigReader::text(std::string_view name, std::string_view fallback) const
{
    const auto* value = m_config.find(name);
    return std::string(value != nullptr && !value->asText().empty() ? value->asText() : fallback);
}

double ConfigReader::largest(std::initializer_list<std::string_view> names) const
{
    double most = 0.0;
    for (const auto name : names) {
        const auto* value = m_config.find(name);
        if (value != nullptr)
            most = std::max(most, value->asNumber().value_or(0.0));
    }
    return most;
}

void ConfigReader::divides(std::string_view what, std::int64_t whole, std::int64_t part)
{
    if (whole % part != 0)
        fail(fmt::format(
            "The config contradicts itself: {} ({} is no multiple of {}).", what, whole, part));
}

}  // namespace firstbad::replay
