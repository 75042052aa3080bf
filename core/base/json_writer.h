// SPDX-License-Identifier: GPL-3.0-or-later
// JsonWriter: strict JSON text with firstbad's rule for numbers (NaN and infinities become
// strings).
//
// Single-threaded builder; grows one string. Unbalanced use is a bug and asserts. Any text becomes
// valid UTF-8.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace firstbad::core {

class JsonWriter
{
public:
    JsonWriter();
    ~JsonWriter();
    JsonWriter(const JsonWriter&) = delete;
    JsonWriter& operator=(const JsonWriter&) = delete;

    void beginObject();
    void endObject();
    void beginArray();
    void endArray();
    void key(std::string_view name);

    void value(std::string_view text);
    void value(const char* text) { value(std::string_view(text)); }
    void value(const std::string& text) { value(std::string_view(text)); }
    void value(double
            number);  ///< shortest text that reads back; "NaN", "Infinity", "-Infinity" as strings
    void value(std::int64_t number);
    void value(std::uint64_t number);
    void value(int number) { value(static_cast<std::int64_t>(number)); }
    void value(bool flag);
    void null();
    template <class T> void value(const std::optional<T>& maybe)
    {
        if (maybe)
            value(*maybe);
        else
            null();
    }

    /// key and value in one.
    template <class T> void member(std::string_view name, const T& content)
    {
        key(name);
        value(content);
    }
    void memberNull(std::string_view name)
    {
        key(name);
        null();
    }

    /// Inserts text that is already JSON, for example the result of another writer.
    void raw(std::string_view json);

    /// The finished document.
    [[nodiscard]] std::string take();

private:
    struct State;
    std::unique_ptr<State> m_state;
};

}  // namespace firstbad::core
