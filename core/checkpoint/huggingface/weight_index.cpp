// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/checkpoint/huggingface/weight_index.h"

#include "core/base/json_reader.h"
#include "core/base/number.h"
#include "core/base/text.h"

#include <fmt/format.h>
#include <unordered_map>

namespace firstbad::core {

namespace {

/// Takes weight_map and metadata.total_size; passes over everything else.
class IndexVisitor final : public JsonVisitor
{
public:
    bool null() override { return scalar("null"); }
    bool boolean(bool) override { return scalar("a boolean"); }
    bool number(std::string_view spelled) override
    {
        if (m_path == Path::Metadata && m_depth == 2 && m_key == "total_size") {
            const auto value = parseNumber(spelled);
            if (value && isPlausible(value->value))
                m_index.totalSize = static_cast<std::uint64_t>(value->value);
        }
        return scalar("a number");
    }
    bool text(std::string_view content) override
    {
        if (m_path != Path::Weights || m_depth != 2)
            return true;
        m_index.weights.emplace_back(m_key, content);
        return true;
    }
    bool key(std::string_view name) override
    {
        if (m_depth == 1) {
            m_path = name == "weight_map" ? Path::Weights
                : name == "metadata"      ? Path::Metadata
                                          : Path::Other;
            m_hasWeights = m_hasWeights || m_path == Path::Weights;
        }
        m_key = name;
        return true;
    }
    bool beginObject() override
    {
        if (m_path == Path::Weights && m_depth >= 2)
            return scalar("an object");
        ++m_depth;
        return true;
    }
    bool endObject() override
    {
        --m_depth;
        return true;
    }
    bool beginArray() override
    {
        if (m_path == Path::Weights)
            return scalar("a list");
        ++m_depth;
        return true;
    }
    bool endArray() override
    {
        --m_depth;
        return true;
    }
    void restart() override { *this = IndexVisitor(); }

    WeightIndex finish(std::string problem)
    {
        if (m_index.problem.empty())
            m_index.problem = std::move(problem);
        if (m_index.problem.empty() && !m_hasWeights)
            m_index.problem = "it has no weight_map";
        if (m_index.problem.empty())
            m_index.problem = repeatedName();
        return std::move(m_index);
    }

private:
    enum class Path : std::uint8_t { Other, Weights, Metadata };

    static bool isPlausible(double bytes) noexcept
    {
        constexpr double kExactIntegers = 9007199254740992.0;
        return bytes >= 0.0 && bytes <= kExactIntegers;
    }

    bool scalar(std::string_view what)
    {
        if (m_path != Path::Weights)
            return true;
        m_index.problem = fmt::format("weight_map holds {} where a file name belongs", what);
        return false;
    }

    [[nodiscard]] std::string repeatedName() const
    {
        std::unordered_map<std::string_view, std::string_view> seen;
        for (const auto& [name, file] : m_index.weights) {
            const auto [at, isNew] = seen.emplace(name, file);
            if (!isNew && at->second != file)
                return fmt::format("weight_map names {} twice, in {} and in {}",
                    escapedForTerminal(name), escapedForTerminal(at->second),
                    escapedForTerminal(file));
        }
        return {};
    }

    WeightIndex m_index;
    Path m_path = Path::Other;
    std::string m_key;
    int m_depth = 0;
    bool m_hasWeights = false;
};

}  // namespace

WeightIndex parseWeightIndex(std::string_view json)
{
    IndexVisitor visitor;
    JsonReader reader;
    const auto read = reader.read(json, visitor);
    return visitor.finish(read ? std::string() : read.error().message);
}

}  // namespace firstbad::core
