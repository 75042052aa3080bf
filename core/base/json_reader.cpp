// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/json_reader.h"

#include "core/base/json_tidy.h"
#include "core/base/number.h"
#include "core/base/text.h"

#include <algorithm>
#include <fmt/format.h>
#include <rapidjson/error/en.h>
#include <rapidjson/reader.h>

namespace firstbad::core {
namespace {

/// Counts depth before RapidJSON recurses, and turns its calls into those of a JsonVisitor.
class Bridge : public rapidjson::BaseReaderHandler<rapidjson::UTF8<>, Bridge>
{
public:
    Bridge(JsonVisitor& visitor, std::uint32_t maxDepth)
        : m_visitor(visitor)
        , m_maxDepth(maxDepth)
    { }

    [[nodiscard]] bool tooDeep() const noexcept { return m_depth > m_maxDepth; }

    // The names are RapidJSON's.
    // NOLINTBEGIN(readability-identifier-naming)
    bool Null() { return m_visitor.null(); }
    bool Bool(bool flag) { return m_visitor.boolean(flag); }
    bool RawNumber(const char* text, rapidjson::SizeType length, bool /*copy*/)
    {
        return m_visitor.number({text, length});
    }
    bool String(const char* text, rapidjson::SizeType length, bool /*copy*/)
    {
        const std::string_view content(text, length);
        if (!content.empty() && content.front() == kTidiedNumberMark)
            return m_visitor.number(content.substr(1));
        return m_visitor.text(content);
    }
    bool Key(const char* text, rapidjson::SizeType length, bool /*copy*/)
    {
        return m_visitor.key({text, length});
    }
    bool StartObject() { return deeper() && m_visitor.beginObject(); }
    bool EndObject(rapidjson::SizeType /*members*/)
    {
        --m_depth;
        return m_visitor.endObject();
    }
    bool StartArray() { return deeper() && m_visitor.beginArray(); }
    bool EndArray(rapidjson::SizeType /*items*/)
    {
        --m_depth;
        return m_visitor.endArray();
    }
    // NOLINTEND(readability-identifier-naming)

private:
    bool deeper() noexcept { return ++m_depth <= m_maxDepth; }

    JsonVisitor& m_visitor;
    std::uint32_t m_maxDepth;
    std::uint32_t m_depth = 0;
};

constexpr unsigned kBase = rapidjson::kParseInsituFlag | rapidjson::kParseNumbersAsStringsFlag
    | rapidjson::kParseNanAndInfFlag;
constexpr unsigned kLenient
    = kBase | rapidjson::kParseTrailingCommasFlag | rapidjson::kParseCommentsFlag;

struct Outcome {
    rapidjson::ParseResult result;
    bool tooDeep = false;
    std::size_t consumed = 0;
};

Error toError(const Outcome& outcome, const JsonLimits& limits)
{
    Error error{ErrorCode::Malformed, {}, {}, Where{{}, {}, outcome.result.Offset()}, {}};
    error.message = outcome.tooDeep
        ? fmt::format("The JSON text nests deeper than {} levels at byte {}.", limits.maxDepth,
            outcome.result.Offset())
        : fmt::format("The text is no valid JSON at byte {}: {}", outcome.result.Offset(),
            rapidjson::GetParseError_En(outcome.result.Code()));
    return error;
}

tl::unexpected<Error> tooLong(std::size_t bytes, const JsonLimits& limits)
{
    return fail(ErrorCode::Unsupported,
        fmt::format("The JSON text has {}, more than the {} that are read at once.",
            humanBytes(bytes), humanBytes(limits.maxBytes)));
}

}  // namespace

struct JsonReader::State {
    rapidjson::Reader reader;
    std::vector<char> buffer;
    std::string tidied;

    template <unsigned kFlags>
    Outcome parse(std::string_view json, JsonVisitor& visitor, const JsonLimits& limits)
    {
        buffer.resize(json.size() + 1);
        std::copy(json.begin(), json.end(), buffer.begin());
        buffer[json.size()] = '\0';
        rapidjson::InsituStringStream stream(buffer.data());
        Bridge bridge(visitor, limits.maxDepth);
        Outcome outcome;
        outcome.result = reader.Parse<kFlags>(stream, bridge);
        outcome.tooDeep = bridge.tooDeep();
        outcome.consumed = stream.Tell();
        // A NUL looks like the end of the text to RapidJSON.
        const bool cutShort = !outcome.result.IsError() && outcome.consumed < json.size();
        if (cutShort && (kFlags & rapidjson::kParseStopWhenDoneFlag) == 0)
            outcome.result = rapidjson::ParseResult(
                rapidjson::kParseErrorDocumentRootNotSingular, outcome.consumed);
        return outcome;
    }
};

JsonReader::JsonReader()
    : m_state(std::make_unique<State>())
{ }

JsonReader::~JsonReader() = default;

Result<void> JsonReader::read(std::string_view json, JsonVisitor& visitor, const JsonLimits& limits)
{
    if (json.size() > limits.maxBytes)
        return tooLong(json.size(), limits);
    const Outcome first = m_state->parse<kLenient>(json, visitor, limits);
    if (!first.result.IsError())
        return {};
    const bool stoppedByVisitor = first.result.Code() == rapidjson::kParseErrorTermination;
    if (stoppedByVisitor || !tidyJson(json, m_state->tidied))
        return tl::unexpected<Error>(toError(first, limits));
    visitor.restart();
    const Outcome second = m_state->parse<kLenient>(m_state->tidied, visitor, limits);
    if (second.result.IsError())
        return tl::unexpected<Error>(toError(first, limits));
    return {};
}

Result<std::size_t> JsonReader::readFirst(
    std::string_view json, JsonVisitor& visitor, const JsonLimits& limits)
{
    if (json.size() > limits.maxBytes)
        return tooLong(json.size(), limits);
    const Outcome outcome
        = m_state->parse<kBase | rapidjson::kParseStopWhenDoneFlag>(json, visitor, limits);
    if (outcome.result.IsError())
        return tl::unexpected<Error>(toError(outcome, limits));
    return outcome.consumed;
}

}  // namespace firstbad::core
