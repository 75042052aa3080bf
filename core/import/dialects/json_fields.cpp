// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/import/dialects/json_fields.h"

#include <algorithm>
#include <fmt/format.h>

namespace firstbad::core {
namespace {

constexpr std::uint32_t kMaxDepth = 8;

}  // namespace

// Joins the names of where it stands; the reader's limits bound the depth.
class JsonFieldCutter::Collector : public JsonVisitor
{
public:
    explicit Collector(std::vector<JsonField>& fields)
        : m_fields(fields)
    { }

    bool null() override { return add("null", false); }
    bool boolean(bool flag) override { return add(flag ? "true" : "false", false); }
    bool number(std::string_view spelled) override { return add(spelled, false); }
    bool text(std::string_view content) override { return add(content, true); }
    bool key(std::string_view name) override
    {
        m_key = name;
        return true;
    }
    bool beginObject() override { return begin(false); }
    bool endObject() override { return end(); }
    bool beginArray() override
    {
        // a line that is no object at all is not what is looked for
        return !m_levels.empty() && begin(true);
    }
    bool endArray() override { return end(); }
    void restart() override
    {
        m_fields.clear();
        m_levels.clear();
        m_key.clear();
    }

private:
    struct Level {
        std::string prefix;
        bool isArray = false;
        std::size_t next = 0;
    };

    std::string nameHere()
    {
        if (m_levels.empty())
            return {};
        Level& level = m_levels.back();
        if (level.isArray)
            return fmt::format("{}[{}]", level.prefix, level.next++);
        return level.prefix.empty() ? m_key : fmt::format("{}.{}", level.prefix, m_key);
    }
    bool add(std::string_view content, bool isString)
    {
        if (m_levels.empty())
            return false;
        m_fields.push_back({nameHere(), std::string(content), isString});
        return true;
    }
    bool begin(bool isArray)
    {
        std::string prefix = nameHere();
        m_levels.push_back({std::move(prefix), isArray, 0});
        return true;
    }
    bool end()
    {
        m_levels.pop_back();
        return true;
    }

    std::vector<JsonField>& m_fields;
    std::vector<Level> m_levels;
    std::string m_key;
};

bool JsonFieldCutter::cut(std::string_view object, std::vector<JsonField>& fields)
{
    fields.clear();
    Collector collector(fields);
    JsonLimits limits;
    limits.maxDepth = kMaxDepth;
    return m_reader.read(object, collector, limits).has_value();
}

const JsonField* findJsonField(const std::vector<JsonField>& fields, std::string_view name) noexcept
{
    const auto found = std::find_if(
        fields.begin(), fields.end(), [&](const JsonField& field) { return field.name == name; });
    return found != fields.end() ? &*found : nullptr;
}

}  // namespace firstbad::core
