// SPDX-License-Identifier: GPL-3.0-or-later
// JsonRecord: one JSON object flattened to named leaves ("train.loss", "lr[0]").
//
// JsonFlattener keeps the tree of names of all objects it has seen, so that a loop over records
// neither builds names nor allocates. One thread.
#pragma once

#include "core/base/json_reader.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace firstbad::core {

enum class LeafKind : std::uint8_t { Missing, Number, Boolean, Text };

struct JsonLeaf {
    std::uint32_t node = 0;  ///< names the path, see JsonFlattener::name()
    LeafKind kind = LeafKind::Missing;
    bool overflowed = false;
    double value = 0.0;
    std::optional<std::int64_t> integer;
    std::uint32_t textAt = 0;  ///< into JsonRecord::words
    std::uint32_t textLength = 0;
};

struct JsonRecord {
    std::vector<JsonLeaf> leaves;
    std::string words;
    std::uint64_t line = 0;
    std::uint64_t offset = 0;

    [[nodiscard]] std::string_view text(const JsonLeaf& leaf) const noexcept
    {
        return std::string_view(words).substr(leaf.textAt, leaf.textLength);
    }
};

class JsonFlattener : public JsonVisitor
{
public:
    JsonFlattener();

    /// Begins a record; `group` becomes the first part of all its names.
    void begin(std::string_view group = {});
    [[nodiscard]] JsonRecord& record() noexcept { return m_record; }
    [[nodiscard]] const std::string& name(std::uint32_t node) const { return m_nodes[node].name; }
    /// Values left out because there are too many names or too long lists.
    [[nodiscard]] std::uint64_t leftOut() const noexcept { return m_leftOut; }
    [[nodiscard]] std::size_t depth() const noexcept { return m_frames.size(); }

    bool null() override;
    bool boolean(bool flag) override;
    bool number(std::string_view spelled) override;
    bool text(std::string_view content) override;
    bool key(std::string_view name) override;
    bool beginObject() override { return open(false); }
    bool endObject() override { return close(); }
    bool beginArray() override { return open(true); }
    bool endArray() override { return close(); }
    void restart() override;

private:
    struct Node {
        std::string name;
        std::vector<std::uint32_t> order;  // children as first met: objects repeat their order
        std::unordered_map<std::string, std::uint32_t> byName;
        std::vector<std::string> keys;  // parallel to order
        std::size_t next = 0;  // where in order the next key probably is
    };
    struct Frame {
        std::uint32_t node = 0;
        bool isArray = false;
        bool isMedia = false;  // W&B stores pictures and tables as objects with _type
        std::uint32_t index = 0;
        std::size_t firstLeaf = 0;
    };

    static constexpr std::uint32_t kNoNode = 0xFFFFFFFFU;

    std::uint32_t child(std::uint32_t node, std::string_view key, bool isElement);
    std::uint32_t place();  // node of the value that comes next
    JsonLeaf* addLeaf(LeafKind kind);
    void keepText(JsonLeaf& leaf, std::string_view content);
    bool open(bool isArray);
    bool close();

    std::vector<Node> m_nodes;
    std::vector<Frame> m_frames;
    JsonRecord m_record;
    std::uint32_t m_root = 0;
    std::uint32_t m_current = 0;
    std::string m_scratch;
    std::uint64_t m_leftOut = 0;
};

}  // namespace firstbad::core
