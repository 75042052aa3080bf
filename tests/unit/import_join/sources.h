// SPDX-License-Identifier: GPL-3.0-or-later
// Sources for the tests of joining: a few lines build what an importer would have read.
#pragma once

#include "core/import/record_sink.h"
#include "core/import/run_grouping.h"

#include <string>
#include <utility>
#include <vector>

namespace firstbad::test {

struct Point {
    std::int64_t step = 0;
    double value = 0.0;
    double time = core::kNoTime;
};

/// Steps from..to with value(step); times start at `time` and go on by a second, if given.
template <class Value>
void addRange(core::RecordSink& sink, const char* name, std::int64_t from, std::int64_t to,
    Value value, double time = core::kNoTime)
{
    const auto column = sink.column(name);
    for (std::int64_t step = from; step <= to; ++step) {
        sink.beginRecord(step, time + static_cast<double>(step - from), 0);
        sink.add(column, value(step));
    }
}

inline core::SourceData taken(core::RecordSink& sink, const char* format = "text")
{
    sink.data().info.format = format;
    return sink.take();
}

inline core::SourcePlace placed(const char* path, const char* root = "/runs")
{
    return {path, root, {}};
}

}  // namespace firstbad::test
