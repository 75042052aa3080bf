// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/checkpoint/safetensors/header_json.h"

#include "core/base/text.h"

#include <fmt/format.h>
#include <rapidjson/error/en.h>
#include <rapidjson/reader.h>

namespace firstbad::core {

namespace {

constexpr std::size_t kMaxShownName = 200;

/// Takes exactly what a header may hold: an object of entries, each an object of dtype, shape and
/// data_offsets, and __metadata__, an object of texts. Anything else stops the reading.
class HeaderHandler
{
public:
    explicit HeaderHandler(HeaderJson& out)
        : m_out(out)
    { }

    bool Null() { return unexpected("null"); }
    bool Bool(bool) { return unexpected("a boolean"); }
    bool Double(double) { return unexpected("a fraction"); }
    bool RawNumber(const char*, rapidjson::SizeType, bool) { return unexpected("a number"); }
    bool Int(int value) { return value < 0 ? negative() : Uint64(static_cast<unsigned>(value)); }
    bool Uint(unsigned value) { return Uint64(value); }
    bool Int64(std::int64_t value)
    {
        return value < 0 ? negative() : Uint64(static_cast<std::uint64_t>(value));
    }

    bool Uint64(std::uint64_t value)
    {
        if (m_place == Place::Shape) {
            if (value > static_cast<std::uint64_t>(INT64_MAX))
                return unexpected("a dimension beyond 64 bits");
            entry().shape.push_back(static_cast<std::int64_t>(value));
            return true;
        }
        if (m_place == Place::Offsets && m_offsets < 2) {
            (m_offsets == 0 ? entry().begin : entry().end) = value;
            ++m_offsets;
            return true;
        }
        return unexpected("a number");
    }

    bool String(const char* text, rapidjson::SizeType length, bool)
    {
        if (!isValidUtf8(std::string_view(text, length)))
            return unexpected("a text that is not UTF-8");
        if (m_place == Place::Metadata) {
            m_out.metadata.back().second.assign(text, length);
            return true;
        }
        if (m_place != Place::Type)
            return unexpected("a text");
        entry().typeName.assign(text, length);
        entry().type = elementTypeFromSafetensors(entry().typeName);
        m_place = Place::Entry;
        return true;
    }

    bool StartObject()
    {
        switch (m_place) {
        case Place::Start:
            m_place = Place::Root;
            return true;
        case Place::EntryStart:
            m_place = Place::Entry;
            m_seen = 0;
            return true;
        case Place::MetadataStart:
            m_place = Place::Metadata;
            return true;
        default:
            return unexpected("an object");
        }
    }

    bool Key(const char* text, rapidjson::SizeType length, bool)
    {
        if (!isValidUtf8(std::string_view(text, length)))
            return unexpected("a name that is not UTF-8");
        const std::string_view key(text, length);
        if (m_place == Place::Root)
            return beginEntry(key);
        if (m_place == Place::Metadata) {
            m_out.metadata.emplace_back(key, std::string());
            return true;
        }
        return beginField(key);
    }

    bool EndObject(rapidjson::SizeType)
    {
        if (m_place == Place::Entry && m_seen != (kType | kShape | kOffsets))
            return unexpected("the end of an entry without dtype, shape and data_offsets");
        m_place = m_place == Place::Root ? Place::End : Place::Root;
        return true;
    }

    bool StartArray()
    {
        if (m_place == Place::ShapeStart)
            m_place = Place::Shape;
        else if (m_place == Place::OffsetsStart)
            m_place = Place::Offsets;
        else
            return unexpected("a list");
        return true;
    }

    bool EndArray(rapidjson::SizeType)
    {
        if (m_place == Place::Offsets && m_offsets != 2)
            return unexpected("the end of data_offsets without two numbers");
        m_place = Place::Entry;
        return true;
    }

private:
    enum class Place : std::uint8_t {
        Start,
        Root,
        EntryStart,
        Entry,
        Type,
        ShapeStart,
        Shape,
        OffsetsStart,
        Offsets,
        MetadataStart,
        Metadata,
        End,
    };
    static constexpr unsigned kType = 1;
    static constexpr unsigned kShape = 2;
    static constexpr unsigned kOffsets = 4;

    SafetensorsEntry& entry() { return m_out.entries.back(); }

    bool beginEntry(std::string_view key)
    {
        if (key == "__metadata__") {
            if (m_hasMetadata)
                m_out.repeatedKeys.emplace_back(key);
            m_hasMetadata = true;
            m_place = Place::MetadataStart;
            return true;
        }
        m_out.entries.emplace_back();
        entry().name.assign(key);
        entry().shape.reserve(4);
        m_place = Place::EntryStart;
        return true;
    }

    bool beginField(std::string_view key)
    {
        unsigned field = 0;
        if (key == "dtype") {
            field = kType;
            m_place = Place::Type;
        } else if (key == "shape") {
            field = kShape;
            m_place = Place::ShapeStart;
            entry().shape.clear();
        } else if (key == "data_offsets") {
            field = kOffsets;
            m_place = Place::OffsetsStart;
            m_offsets = 0;
        } else {
            return unexpected(fmt::format("the key {}", shown(key)));
        }
        if ((m_seen & field) != 0)
            m_out.repeatedKeys.push_back(entry().name);
        m_seen |= field;
        return true;
    }

    bool negative() { return unexpected("a negative number"); }

    bool unexpected(std::string_view what)
    {
        const std::string where
            = m_out.entries.empty() ? "" : fmt::format(" at the entry {}", shown(entry().name));
        m_out.problem = fmt::format("the header holds {} where the format has none{}", what, where);
        return false;
    }

    static std::string shown(std::string_view name)
    {
        return escapedForTerminal(name.substr(0, kMaxShownName));
    }

    HeaderJson& m_out;
    Place m_place = Place::Start;
    unsigned m_seen = 0;
    int m_offsets = 0;
    bool m_hasMetadata = false;
};

}  // namespace

HeaderJson parseHeaderJson(const std::string& json)
{
    // Not the iterative parser, which is slower: the handler stops at the third level of nesting.
    // The handler checks the encoding: the library's own check reads on past the end of a text that
    // is cut inside a character.
    constexpr unsigned kFlags = rapidjson::kParseStopWhenDoneFlag;
    constexpr std::size_t kUsualEntryBytes = 96;
    HeaderJson out;
    out.entries.reserve(json.size() / kUsualEntryBytes);
    HeaderHandler handler(out);
    rapidjson::Reader reader;
    rapidjson::StringStream stream(json.c_str());
    const rapidjson::ParseResult result = reader.Parse<kFlags>(stream, handler);
    out.length = stream.Tell();
    if (result.IsError() && !out.problem) {
        out.problem = fmt::format("the header is not valid JSON at its byte {}: {}",
            result.Offset(), rapidjson::GetParseError_En(result.Code()));
    }
    if (out.problem && !out.entries.empty())
        out.entries.pop_back();  // the one that was being read
    return out;
}

}  // namespace firstbad::core
