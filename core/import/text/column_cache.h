// SPDX-License-Identifier: GPL-3.0-or-later
// ColumnCache: finds the sink's column for a field name without hashing, as long as records repeat.
//
// Remembers the order of names of the record before: the n-th field of a record is nearly always
// the n-th of the last one. O(1) and no allocation then. One thread; one cache a reader and sink.
#pragma once

#include "core/import/record_sink.h"

#include <string>
#include <string_view>
#include <vector>

namespace firstbad::core {

class ColumnCache
{
public:
    void beginRecord() noexcept { m_next = 0; }

    [[nodiscard]] ColumnHandle column(std::string_view name, RecordSink& sink)
    {
        if (m_next < m_known.size() && m_known[m_next].name == name)
            return m_known[m_next++].handle;
        return look(name, sink);
    }

private:
    struct Known {
        std::string name;
        ColumnHandle handle;
    };
    static constexpr std::size_t kMaxKnown = 512;

    ColumnHandle look(std::string_view name, RecordSink& sink)
    {
        for (std::size_t i = 0; i < m_known.size(); ++i) {
            if (m_known[i].name == name) {
                m_next = i + 1;
                return m_known[i].handle;
            }
        }
        const ColumnHandle handle = sink.column(name);
        if (m_known.size() < kMaxKnown) {
            m_known.push_back({std::string(name), handle});
            m_next = m_known.size();
        }
        return handle;
    }

    std::vector<Known> m_known;
    std::size_t m_next = 0;
};

}  // namespace firstbad::core
