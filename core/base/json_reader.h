// SPDX-License-Identifier: GPL-3.0-or-later
// JsonReader: reads JSON as people's programs write it, non-finite numbers and small sins included.
//
// One object per thread; it keeps its buffers, so a loop over lines does not allocate. Linear in
// the text. Depth and size are capped, nothing throws, and no input can overflow the stack.
#pragma once

#include "core/base/result.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace firstbad::core {

/// Receives a document piece by piece. Views are valid during the call. False stops the reading.
class JsonVisitor
{
public:
    virtual ~JsonVisitor() = default;

    virtual bool null() = 0;
    virtual bool boolean(bool flag) = 0;
    /// As spelled: "1", "-2.5e-3", "NaN", "Infinity", "1e400"; parseNumber() reads all of them.
    virtual bool number(std::string_view spelled) = 0;
    virtual bool text(std::string_view content) = 0;
    virtual bool key(std::string_view name) = 0;
    virtual bool beginObject() = 0;
    virtual bool endObject() = 0;
    virtual bool beginArray() = 0;
    virtual bool endArray() = 0;
    /// Forget everything: the document is read once more from its start, in a more lenient way.
    virtual void restart() = 0;
};

struct JsonLimits {
    std::size_t maxBytes = std::size_t{256} << 20U;
    std::uint32_t maxDepth = 64;
};

class JsonReader
{
public:
    JsonReader();
    ~JsonReader();
    JsonReader(const JsonReader&) = delete;
    JsonReader& operator=(const JsonReader&) = delete;

    /// Reads one value; anything but blanks behind it is an error. Beyond the standard it takes
    /// NaN, Infinity, nan, inf, numbers beyond double, trailing commas, comments, single quotes,
    /// bare keys, None/True/False and raw control characters in strings. The error's place is the
    /// offset in `json`.
    [[nodiscard]] Result<void> read(
        std::string_view json, JsonVisitor& visitor, const JsonLimits& limits = {});

    /// Reads the first value of `json` by the letter of the standard (NaN and Infinity allowed) and
    /// answers how many bytes it took; something else may follow.
    [[nodiscard]] Result<std::size_t> readFirst(
        std::string_view json, JsonVisitor& visitor, const JsonLimits& limits = {});

private:
    struct State;
    std::unique_ptr<State> m_state;
};

/// A value of a document that was read as a whole: for small documents whose shape matters.
struct JsonValue {
    enum class Kind : std::uint8_t { Null, Boolean, Number, Text, Array, Object };

    // Out of line: clang 14 can not make them while JsonValue is incomplete inside `members`.
    JsonValue();
    JsonValue(const JsonValue& other);
    JsonValue(JsonValue&& other) noexcept;
    JsonValue& operator=(const JsonValue& other);
    JsonValue& operator=(JsonValue&& other) noexcept;
    ~JsonValue();

    Kind kind = Kind::Null;
    bool flag = false;
    bool overflowed = false;  ///< the decimal is beyond double, `real` is an infinity
    double real = 0.0;
    std::optional<std::int64_t> integer;  ///< for numbers spelled as integers that fit
    std::string words;  ///< text content
    std::vector<JsonValue> items;  ///< of an array
    std::vector<std::pair<std::string, JsonValue>> members;  ///< of an object, in file order

    /// First member of that name; nullptr when this is no object or has none.
    [[nodiscard]] const JsonValue* find(std::string_view name) const noexcept;
    /// A number, or a text that spells one ("NaN", "2.5").
    [[nodiscard]] std::optional<double> asNumber() const noexcept;
    [[nodiscard]] std::optional<std::int64_t> asInteger() const noexcept;
    /// The text, empty for every other kind.
    [[nodiscard]] std::string_view asText() const noexcept;
};

/// Reads a whole document. Memory: about ten times the text for documents of numbers.
[[nodiscard]] Result<JsonValue> parseJson(std::string_view json, const JsonLimits& limits = {});

}  // namespace firstbad::core
