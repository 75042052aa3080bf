// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/json_members.h"

#include "core/base/json_writer.h"

#include <fmt/format.h>

namespace firstbad::core {
namespace {

const JsonValue& emptyObject()
{
    static const JsonValue kEmpty = [] {
        JsonValue value;
        value.kind = JsonValue::Kind::Object;
        return value;
    }();
    return kEmpty;
}

void write(JsonWriter& json, const JsonValue& value)
{
    switch (value.kind) {
    case JsonValue::Kind::Null:
        json.null();
        break;
    case JsonValue::Kind::Boolean:
        json.value(value.flag);
        break;
    case JsonValue::Kind::Number:
        if (value.integer)
            json.value(*value.integer);
        else
            json.value(value.real);
        break;
    case JsonValue::Kind::Text:
        json.value(value.words);
        break;
    case JsonValue::Kind::Array:
        json.beginArray();
        for (const auto& item : value.items)
            write(json, item);
        json.endArray();
        break;
    case JsonValue::Kind::Object:
        json.beginObject();
        for (const auto& [name, member] : value.members) {
            json.key(name);
            write(json, member);
        }
        json.endObject();
        break;
    }
}

}  // namespace

JsonMembers::JsonMembers(const JsonValue& object, std::string path, std::string& problem)
    : m_object(&object)
    , m_path(std::move(path))
    , m_problem(&problem)
{
    if (object.kind == JsonValue::Kind::Object)
        return;
    if (problem.empty())
        problem = m_path.empty() ? "it is not an object"
                                 : fmt::format("\"{}\" is not an object", m_path);
    m_object = &emptyObject();
}

const JsonValue* JsonMembers::find(std::string_view name) const noexcept
{
    const JsonValue* found = m_object->find(name);
    return found != nullptr && found->kind != JsonValue::Kind::Null ? found : nullptr;
}

std::string JsonMembers::pathOf(std::string_view name) const
{
    return m_path.empty() ? std::string(name) : fmt::format("{}.{}", m_path, name);
}

void JsonMembers::refuse(std::string_view name, std::string_view what) const
{
    if (m_problem->empty())
        *m_problem = fmt::format("\"{}\" {}", pathOf(name), what);
}

std::string JsonMembers::text(std::string_view name, std::string fallback) const
{
    const JsonValue* found = find(name);
    if (found == nullptr)
        return fallback;
    if (found->kind != JsonValue::Kind::Text)
        refuse(name, "is not a text");
    return std::string(found->asText());
}

std::optional<double> JsonMembers::optionalNumber(std::string_view name) const
{
    const JsonValue* found = find(name);
    if (found == nullptr)
        return std::nullopt;
    const auto number = found->asNumber();
    if (!number)
        refuse(name, "is not a number");
    return number;
}

double JsonMembers::number(std::string_view name, double fallback) const
{
    return optionalNumber(name).value_or(fallback);
}

std::optional<std::int64_t> JsonMembers::optionalInteger(std::string_view name) const
{
    const JsonValue* found = find(name);
    if (found == nullptr)
        return std::nullopt;
    const auto number = found->kind == JsonValue::Kind::Number ? found->asInteger() : std::nullopt;
    if (!number)
        refuse(name, "is not a whole number");
    return number;
}

std::int64_t JsonMembers::integer(std::string_view name, std::int64_t fallback) const
{
    return optionalInteger(name).value_or(fallback);
}

std::uint64_t JsonMembers::count(std::string_view name) const
{
    const std::int64_t number = integer(name, 0);
    if (number < 0)
        refuse(name, "is negative");
    return number < 0 ? 0 : static_cast<std::uint64_t>(number);
}

std::optional<bool> JsonMembers::optionalFlag(std::string_view name) const
{
    const JsonValue* found = find(name);
    if (found == nullptr)
        return std::nullopt;
    if (found->kind != JsonValue::Kind::Boolean)
        refuse(name, "is neither true nor false");
    return found->flag;
}

bool JsonMembers::flag(std::string_view name, bool fallback) const
{
    return optionalFlag(name).value_or(fallback);
}

JsonMembers JsonMembers::object(std::string_view name) const
{
    const JsonValue* found = find(name);
    return {found != nullptr ? *found : emptyObject(), pathOf(name), *m_problem};
}

const std::vector<JsonValue>& JsonMembers::list(std::string_view name) const
{
    const JsonValue* found = find(name);
    if (found == nullptr)
        return emptyObject().items;
    if (found->kind != JsonValue::Kind::Array)
        refuse(name, "is not a list");
    return found->items;
}

std::vector<std::int64_t> JsonMembers::integers(std::string_view name) const
{
    std::vector<std::int64_t> numbers;
    for (const auto& item : list(name)) {
        if (const auto number = item.asInteger())
            numbers.push_back(*number);
        else
            refuse(name, "holds something that is not a whole number");
    }
    return numbers;
}

std::vector<double> JsonMembers::numbers(std::string_view name) const
{
    std::vector<double> numbers;
    for (const auto& item : list(name)) {
        if (const auto number = item.asNumber())
            numbers.push_back(*number);
        else
            refuse(name, "holds something that is not a number");
    }
    return numbers;
}

std::vector<std::string> JsonMembers::texts(std::string_view name) const
{
    std::vector<std::string> texts;
    for (const auto& item : list(name)) {
        if (item.kind == JsonValue::Kind::Text)
            texts.push_back(item.words);
        else if (item.integer)
            texts.push_back(fmt::format("{}", *item.integer));
        else
            refuse(name, "holds something that is not a text");
    }
    return texts;
}

JsonMembers JsonMembers::element(
    const JsonValue& value, std::string_view name, std::size_t index) const
{
    return {value, fmt::format("{}[{}]", pathOf(name), index), *m_problem};
}

std::string toJsonText(const JsonValue& value)
{
    JsonWriter json;
    write(json, value);
    return json.take();
}

}  // namespace firstbad::core
