// SPDX-License-Identifier: GPL-3.0-or-later
// What tests of text logs share: read a log given as a string, look at its columns.
//
// Throws on failure, so that a test case ends there. One thread.
#pragma once

#include "core/import/text/text_importer.h"
#include "tests/support/catch.h"
#include "tests/support/temp_folder.h"

#include <string>
#include <string_view>
#include <vector>

namespace firstbad::test {

inline core::SourceData readLog(std::string_view content, const std::string& name = "train.log")
{
    const TempFolder folder;
    const auto path = folder.write(name, content);
    core::JobContext job;
    auto read = core::readText({path, name, ""}, {}, job);
    if (!read)
        throw std::runtime_error(read.error().message);
    return std::move(read->at(0));
}

inline const core::RawColumn* findColumn(const core::SourceData& data, std::string_view name)
{
    for (const core::RawColumn& column : data.columns) {
        if (column.name == name)
            return &column;
    }
    return nullptr;
}

inline std::vector<double> valuesOf(const core::SourceData& data, std::string_view name)
{
    std::vector<double> values;
    if (const core::RawColumn* const column = findColumn(data, name)) {
        for (std::size_t i = 0; i < column->points.size(); ++i)
            values.push_back(column->points.valueAt(i));
    }
    return values;
}

inline std::vector<std::int64_t> stepsOf(const core::SourceData& data, std::string_view name)
{
    std::vector<std::int64_t> steps;
    if (const core::RawColumn* const column = findColumn(data, name)) {
        for (std::size_t i = 0; i < column->points.size(); ++i)
            steps.push_back(column->points.stepAt(i));
    }
    return steps;
}

}  // namespace firstbad::test
