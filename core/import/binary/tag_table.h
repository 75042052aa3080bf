// SPDX-License-Identifier: GPL-3.0-or-later
// TagTable: the tags of one event file, what was learnt about each, and the column of each.
//
// One thread. A lookup is one comparison while tags come in the order of the step before, else one
// hash.
#pragma once

#include "core/import/record_sink.h"

#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>

namespace firstbad::core {

/// What the metadata of a tag's first value said; later values of the writer leave it out.
enum class TagPlugin : std::uint8_t { Unknown, Scalars, Other };

struct TagState {
    std::string name;
    TagPlugin plugin = TagPlugin::Unknown;
    std::optional<ColumnHandle> column;
    TagState* next = nullptr;  ///< the tag that followed it last time
};

class TagTable
{
public:
    [[nodiscard]] TagState& find(std::string_view tag)
    {
        TagState* guess = m_last->next;
        if (guess == nullptr || guess->name != tag) {
            guess = &look(tag);
            m_last->next = guess;
        }
        m_last = guess;
        return *guess;
    }

    [[nodiscard]] std::size_t size() const noexcept { return m_tags.size(); }

private:
    TagState& look(std::string_view tag)
    {
        if (const auto at = m_byName.find(tag); at != m_byName.end())
            return *at->second;
        TagState& made = m_tags.emplace_back();
        made.name = tag;
        m_byName.emplace(made.name, &made);
        return made;
    }

    std::deque<TagState> m_tags;  // grows without moving its elements
    std::unordered_map<std::string_view, TagState*> m_byName;  // views into m_tags
    TagState m_before;  // stands before the first tag
    TagState* m_last = &m_before;
};

}  // namespace firstbad::core
