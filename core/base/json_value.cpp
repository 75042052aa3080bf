// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/compare.h"
#include "core/base/json_reader.h"
#include "core/base/number.h"

#include <algorithm>
#include <cmath>

namespace firstbad::core {
namespace {

class ValueBuilder : public JsonVisitor
{
public:
    explicit ValueBuilder(JsonValue& root)
        : m_root(root)
    { }

    bool null() override
    {
        put({});
        return true;
    }
    bool boolean(bool flag) override
    {
        JsonValue value;
        value.kind = JsonValue::Kind::Boolean;
        value.flag = flag;
        put(std::move(value));
        return true;
    }
    bool number(std::string_view spelled) override
    {
        JsonValue value;
        value.kind = JsonValue::Kind::Number;
        if (const auto parsed = parseNumber(spelled)) {
            value.real = parsed->value;
            value.overflowed = parsed->overflowed;
        }
        if (spelled.find_first_of(".eE") == std::string_view::npos)
            value.integer = parseInteger(spelled);
        put(std::move(value));
        return true;
    }
    bool text(std::string_view content) override
    {
        JsonValue value;
        value.kind = JsonValue::Kind::Text;
        value.words = content;
        put(std::move(value));
        return true;
    }
    bool key(std::string_view name) override
    {
        m_open.back()->members.emplace_back(name, JsonValue{});
        return true;
    }
    bool beginObject() override { return open(JsonValue::Kind::Object); }
    bool endObject() override { return close(); }
    bool beginArray() override { return open(JsonValue::Kind::Array); }
    bool endArray() override { return close(); }
    void restart() override
    {
        m_root = {};
        m_open.clear();
    }

private:
    // Pointers in m_open stay valid: only the innermost open value grows.
    JsonValue* put(JsonValue&& value)
    {
        if (m_open.empty()) {
            m_root = std::move(value);
            return &m_root;
        }
        JsonValue& parent = *m_open.back();
        if (parent.kind == JsonValue::Kind::Object) {
            parent.members.back().second = std::move(value);
            return &parent.members.back().second;
        }
        parent.items.push_back(std::move(value));
        return &parent.items.back();
    }
    bool open(JsonValue::Kind kind)
    {
        JsonValue value;
        value.kind = kind;
        m_open.push_back(put(std::move(value)));
        return true;
    }
    bool close()
    {
        m_open.pop_back();
        return true;
    }

    JsonValue& m_root;
    std::vector<JsonValue*> m_open;
};

}  // namespace

JsonValue::JsonValue() = default;
JsonValue::JsonValue(const JsonValue& other) = default;
JsonValue::JsonValue(JsonValue&& other) noexcept = default;
JsonValue& JsonValue::operator=(const JsonValue& other) = default;
JsonValue& JsonValue::operator=(JsonValue&& other) noexcept = default;
JsonValue::~JsonValue() = default;

const JsonValue* JsonValue::find(std::string_view name) const noexcept
{
    const auto found = std::find_if(
        members.begin(), members.end(), [&](const auto& member) { return member.first == name; });
    return found == members.end() ? nullptr : &found->second;
}

std::optional<double> JsonValue::asNumber() const noexcept
{
    if (kind == Kind::Number)
        return real;
    if (kind != Kind::Text)
        return std::nullopt;
    const auto parsed = parseNumber(words);
    return parsed ? std::optional(parsed->value) : std::nullopt;
}

std::optional<std::int64_t> JsonValue::asInteger() const noexcept
{
    if (integer)
        return integer;
    if (kind == Kind::Text)
        return parseInteger(words);
    constexpr double kExact = 9007199254740992.0;  // 2^53: beyond it doubles skip integers
    if (kind != Kind::Number || !within(real, 0.0, kExact) || !within(std::trunc(real), real, 0.0))
        return std::nullopt;
    return static_cast<std::int64_t>(real);
}

std::string_view JsonValue::asText() const noexcept
{
    return kind == Kind::Text ? std::string_view(words) : std::string_view();
}

Result<JsonValue> parseJson(std::string_view json, const JsonLimits& limits)
{
    JsonReader reader;
    JsonValue root;
    ValueBuilder builder(root);
    const auto done = reader.read(json, builder, limits);
    if (!done)
        return tl::unexpected<Error>(done.error());
    return root;
}

}  // namespace firstbad::core
