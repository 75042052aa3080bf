// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/json_writer.h"

#include "core/base/assert.h"
#include "core/base/text.h"
#include "core/base/value_kind.h"

#include <fmt/format.h>
#include <rapidjson/stringbuffer.h>
#include <rapidjson/writer.h>

namespace firstbad::core {

struct JsonWriter::State {
    rapidjson::StringBuffer buffer;
    rapidjson::Writer<rapidjson::StringBuffer> writer{buffer};
};

JsonWriter::JsonWriter()
    : m_state(std::make_unique<State>())
{ }

JsonWriter::~JsonWriter() = default;

void JsonWriter::beginObject()
{
    FB_ASSERT(m_state->writer.StartObject());
}

void JsonWriter::endObject()
{
    FB_ASSERT(m_state->writer.EndObject());
}

void JsonWriter::beginArray()
{
    FB_ASSERT(m_state->writer.StartArray());
}

void JsonWriter::endArray()
{
    FB_ASSERT(m_state->writer.EndArray());
}

void JsonWriter::key(std::string_view name)
{
    const std::string valid = toValidUtf8(name);
    FB_ASSERT(m_state->writer.Key(valid.data(), static_cast<rapidjson::SizeType>(valid.size())));
}

void JsonWriter::value(std::string_view text)
{
    const std::string valid = toValidUtf8(text);
    FB_ASSERT(m_state->writer.String(valid.data(), static_cast<rapidjson::SizeType>(valid.size())));
}

void JsonWriter::value(double number)
{
    const ValueKind kind = classify(number);
    if (kind != ValueKind::Finite) {
        value(toString(kind));
        return;
    }
    const std::string text = fmt::format("{}", number);
    FB_ASSERT(m_state->writer.RawValue(text.data(), text.size(), rapidjson::kNumberType));
}

void JsonWriter::value(std::int64_t number)
{
    FB_ASSERT(m_state->writer.Int64(number));
}

void JsonWriter::value(std::uint64_t number)
{
    FB_ASSERT(m_state->writer.Uint64(number));
}

void JsonWriter::value(bool flag)
{
    FB_ASSERT(m_state->writer.Bool(flag));
}

void JsonWriter::null()
{
    FB_ASSERT(m_state->writer.Null());
}

void JsonWriter::raw(std::string_view json)
{
    FB_ASSERT(m_state->writer.RawValue(json.data(), json.size(), rapidjson::kObjectType));
}

std::string JsonWriter::take()
{
    FB_ASSERT(m_state->writer.IsComplete());
    return {m_state->buffer.GetString(), m_state->buffer.GetSize()};
}

}  // namespace firstbad::core
